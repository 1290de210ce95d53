import { expect, vi } from 'vitest';
import { openProbeWorld } from './probe-world.ts';

const waiting = { timeout: 20_000, interval: 50 };
const monitors = ['one', 'two', 'three'];
/** The clocks of the probe and of the target may differ by this much. No probe starts and checks in so short a time. */
const maxSkewMs = 20;

/** When a process of the probe ended. A check was running if its request arrived at `runningSince` or later. */
interface End {
  runningSince: number;
  at: number;
}

/**
 * Kills a probe at random moments and restarts it. Expects that no result is stored twice, and that each kill loses only
 * running checks: no more than the requests that the target got within `maxRunningMs` before the kill.
 */
export async function killProbe(kills: number, maxRunningMs: number): Promise<void> {
  const world = await openProbeWorld();
  try {
    const token = await world.newToken('killed');
    const ids = new Map<string, string>();
    for (const name of monitors) ids.set(name, await world.create(name, ['killed']));
    let probe = world.start({ token, name: 'killed' });
    for (const id of ids.values()) await world.statusIs(id, 'up');
    const ends: End[] = [];
    const end = async (endProbe: () => Promise<unknown>) => {
      const runningSince = Date.now() - maxRunningMs;
      await endProbe();
      ends.push({ runningSince, at: Date.now() });
    };
    for (let kill = 0; kill < kills; kill++) {
      const before = world.target.requests('one').length;
      await vi.waitFor(() => expect(world.target.requests('one').length).toBeGreaterThan(before), waiting);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1200));
      await end(() => probe.kill());
      probe = world.start({ token, name: 'killed' });
    }
    for (const id of ids.values()) {
      const seen = (await world.resultsOf(id)).length;
      await vi.waitFor(async () => expect((await world.resultsOf(id)).length).toBeGreaterThan(seen), waiting);
    }
    await end(async () => expect(await probe.stop()).toBe(0));
    for (const [name, id] of ids) {
      const results = (await world.resultsOf(id)).map(({ timestamp }) => Date.parse(timestamp));
      expect(new Set(results).size).toBe(results.length);
      const requests = world.target.requests(name).map(({ at }) => at);
      expectOnlyRunningLost({ requests, results, ends });
      expect(await world.eventsOf(id)).toEqual(['up']);
    }
  } finally {
    await world.close();
  }
}

/** Each request that the target got has a result, except those of checks that were running at an end. */
function expectOnlyRunningLost({
  requests,
  results,
  ends,
}: {
  requests: readonly number[];
  results: readonly number[];
  ends: readonly End[];
}): void {
  let since = 0;
  for (const { runningSince, at: endedAt } of ends) {
    const until = endedAt + maxSkewMs;
    const count = (times: readonly number[], from: number) => times.filter((at) => at >= from && at < until).length;
    const lost = count(requests, since) - count(results, since);
    expect(lost).toBeGreaterThanOrEqual(0);
    expect(lost).toBeLessThanOrEqual(count(requests, runningSince));
    since = until;
  }
  expect(results.every((at) => at < since)).toBe(true);
}
