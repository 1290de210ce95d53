import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Store } from '../store/store.ts';
import { openProbeWorld } from './probe-world.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const waiting = { timeout: 20_000, interval: 50 };
const monitors = ['one', 'two', 'three'];
/** The clocks of the probe and of the target may differ by this much. No probe starts and checks in so short a time. */
const maxSkewMs = 20;

/**
 * When a process of the probe ended (`at`). A check was still running then if the target got its request at
 * `runningSince` or later.
 */
interface End {
  runningSince: number;
  at: number;
}

/**
 * Kills a probe at random moments and restarts it. One in three kills happens while the probe starts. One in three
 * happens while the server's answers are held back: the server has stored results, and the probe does not know this
 * yet. Expects that no result is stored twice, and that each kill loses only running checks: no more than the requests
 * that the target got within `maxRunningMs` before the kill.
 */
export async function killProbe(kills: number, maxRunningMs: number): Promise<void> {
  const world = await openProbeWorld();
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(world.daemon.url).port) });
  try {
    const token = await world.newToken('killed');
    const ids = new Map<string, string>();
    for (const name of monitors) ids.set(name, await world.create(name, ['killed']));
    const start = () => world.start({ token, name: 'killed', site: `http://127.0.0.1:${proxy.port}` });
    let probe = start();
    for (const id of ids.values()) await world.statusIs(id, 'up');
    const ends: End[] = [];
    const end = async (endProbe: () => Promise<unknown>) => {
      const runningSince = Date.now() - maxRunningMs;
      await endProbe();
      ends.push({ runningSince, at: Date.now() });
    };
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 3 === 2) await sleep(Math.random() * 500);
      else {
        const before = world.target.requests('one').length;
        await vi.waitFor(() => expect(world.target.requests('one').length).toBeGreaterThan(before), waiting);
      }
      const release = kill % 3 === 1 ? await proxy.hold() : () => {};
      if (kill % 3 !== 2) await sleep(Math.random() * 1200);
      await end(() => probe.kill());
      release();
      probe = start();
    }
    for (const id of ids.values()) {
      const seen = (await world.resultsOf(id)).length;
      await vi.waitFor(async () => expect((await world.resultsOf(id)).length).toBeGreaterThan(seen), waiting);
    }
    await end(async () => expect(await probe.stop()).toBe(0));
    for (const [name, id] of ids) {
      const results = await storedTimes(world.daemon.store, id);
      expect(new Set(results).size).toBe(results.length);
      const requests = world.target.requests(name).map(({ at }) => at);
      expectOnlyRunningLost({ requests, results, ends });
      expect(await world.eventsOf(id)).toEqual(['up']);
    }
  } finally {
    await proxy.close();
    await world.close();
  }
}

/** Returns the times of all stored results of a monitor. If a result is stored twice, its time is in the list twice. */
async function storedTimes({ db }: Store, id: string): Promise<number[]> {
  const of = (table: 'result' | 'recent_result') =>
    db
      .selectFrom(table)
      .innerJoin('monitor', 'monitor.seq', `${table}.monitor`)
      .select(`${table}.at`)
      .where('monitor.id', '=', id)
      .execute();
  return [...(await of('result')), ...(await of('recent_result'))].map(({ at }) => at);
}

/** Each request that the target got has a result, except requests of checks that were running when the probe ended. */
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
