import { expect, vi } from 'vitest';
import { openProbeWorld } from './probe-world.ts';

const waiting = { timeout: 20_000, interval: 50 };
const monitors = ['one', 'two', 'three'];

/**
 * Kills a probe at random moments and restarts it. Expects that no result is stored twice, and that only running checks
 * are lost.
 */
export async function killProbe(kills: number): Promise<void> {
  const world = await openProbeWorld();
  try {
    const token = await world.newToken('killed');
    const ids = new Map<string, string>();
    for (const name of monitors) ids.set(name, await world.create(name, ['killed']));
    let probe = world.start({ token, name: 'killed' });
    for (const id of ids.values()) await world.statusIs(id, 'up');
    for (let kill = 0; kill < kills; kill++) {
      const before = world.target.requests('one').length;
      await vi.waitFor(() => expect(world.target.requests('one').length).toBeGreaterThan(before), waiting);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1200));
      await probe.kill();
      probe = world.start({ token, name: 'killed' });
    }
    for (const id of ids.values()) {
      const seen = (await world.resultsOf(id)).length;
      await vi.waitFor(async () => expect((await world.resultsOf(id)).length).toBeGreaterThan(seen), waiting);
    }
    expect(await probe.stop()).toBe(0);
    for (const [name, id] of ids) {
      const results = await world.resultsOf(id);
      expect(new Set(results.map(({ timestamp }) => timestamp)).size).toBe(results.length);
      // Each check that the target saw is stored, except at most one for each kill and one for the stop.
      const lost = world.target.requests(name).length - results.length;
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThanOrEqual(kills + 1);
      expect(await world.eventsOf(id)).toEqual(['up']);
    }
  } finally {
    await world.close();
  }
}
