import { describe, expect, it } from 'vitest';
import type { MonitorState } from '../core/monitor-state.ts';
import { databases } from '../testing/databases.ts';
import { createEngineWorld, refused } from '../testing/engine-world.ts';

const dayMs = 86_400_000;
describe.each(databases)('regions whose probes died a day ago, on $name', ({ open }) => {
  const world = createEngineWorld({ open });

  /**
   * Creates a monitor in three regions, and stops the daemon. Sets the last reports of the other two regions to a day
   * ago. Starts the daemon again a minute later.
   */
  const restartWithDead = async (failed: boolean): Promise<number> => {
    const { db } = world.database.store;
    const regions = ['default', 'eu', 'asia'];
    const { seq } = await world.create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, regions });
    await world.stop();
    const long = world.clock.now() - dayMs;
    const row = await world.state(seq);
    const views = JSON.parse(row.regions) as MonitorState['regions'];
    const dead = Object.entries(views).slice(1);
    for (const [region, view] of dead) views[Number(region)] = { ...view, at: long, failed };
    await db
      .updateTable('monitor_state')
      .set({ regions: JSON.stringify(views), watched_since: long - dayMs })
      .where('monitor', '=', seq)
      .execute();
    await world.clock.advance(60_000);
    await world.start();
    return seq;
  };

  it('regions with dead probes do not hide an outage after a restart', async () => {
    world.outcome = refused;
    const seq = await restartWithDead(false);
    await world.untilStatus(seq, 'down');
    await expect.poll(() => world.transitions.map(({ to }) => to)).toEqual(['down']);
  });

  it('regions with dead probes cause no alarm after a restart', async () => {
    const seq = await restartWithDead(true);
    await world.untilStatus(seq, 'up');
    await expect.poll(() => world.transitions.map(({ to }) => to)).toEqual(['up']);
  });
});
