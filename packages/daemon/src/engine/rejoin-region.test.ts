import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import { initMonitor } from '../lifecycle/monitor-life.ts';
import { joining } from '../lifecycle/regions.ts';
import { createPlans } from '../testing/billing.ts';
import { free } from '../testing/billing-world.ts';
import { databases } from '../testing/databases.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { monitorRow } from '../testing/rows.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { monitorFields } from '../testing/watched-project.ts';

describe.each(databases)('the regions of a running server, on $name', (database) => {
  let env: Record<string, string>;
  let daemon: TestDaemon;
  beforeEach(async () => {
    env = { UPTIME_REGION: 'default', UPTIME_BILLING: 'sandbox' };
    daemon = await createTestDaemon({ env, database, runCheck: passingCheck });
    await createPlans(daemon, [{ ...free, monitors: 10 }]);
  });
  afterEach(() => daemon.close());

  const eventually = (hold: () => Promise<void>) => vi.waitFor(hold, { timeout: 20_000, interval: 50 });
  const minuteAgo = () => Date.now() - 60_000;
  /** Adds a monitor that names no regions, while all regions except `only` are retired. The plan allows one region. */
  const addIn = (only: string | null) =>
    daemon.store.write(async (trx) => {
      const at = minuteAgo();
      const regions = trx.updateTable('region').set({ seen_at: at, retired_at: at });
      await regions.$if(only !== null, (query) => query.where('name', '!=', only!)).execute();
      const fields = monitorFields({});
      const config = JSON.stringify(fields);
      const row = monitorRow('mon_1', daemon.project.id, { type: fields.type, region_limit: 1, config });
      const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields, now: Date.now() });
      if (only !== null) await trx.updateTable('region').set({ retired_at: null }).execute();
      return seq;
    });
  const regionsOf = async (monitor: number) => {
    const rows = daemon.store.db.selectFrom('schedule').innerJoin('region', 'region.id', 'schedule.region');
    const found = await rows.select('name').where('monitor', '=', monitor).orderBy('region.id').execute();
    return found.map(({ name }) => name);
  };
  const regionNamed = (name: string) =>
    daemon.store.db
      .selectFrom('region')
      .select(['seen_at', 'retired_at'])
      .where('name', '=', name)
      .executeTakeFirstOrThrow();

  test('after the server was down, the region of a probe keeps its monitors when other regions appear', async () => {
    await joinRegion(daemon.store, 'eu', Date.now() - 40_000);
    const monitor = await addIn('eu');
    env.UPTIME_REGION = 'new';
    await daemon.restart();
    expect(await regionsOf(monitor)).toEqual(['eu']);
    const probe = await probesOf(() => daemon).join('us');
    expect(await probe.sync()).toMatchObject({ status: 200 });
    for (const name of ['new', 'us']) expect((await regionNamed(name)).seen_at).toBeGreaterThan(joining);
    expect(await regionsOf(monitor)).toEqual(['eu']);
  });

  test('a running daemon whose region was retired gets the monitors that were created meanwhile', async () => {
    const monitor = await addIn(null);
    await eventually(async () => expect(await regionsOf(monitor)).toEqual(['default']));
    await eventually(async () =>
      expect(await regionNamed('default')).toEqual({
        seen_at: expect.toSatisfy((at) => at > minuteAgo()),
        retired_at: null,
      }),
    );
  });

  // On SQLite, a transaction that runs this long would also stop the signs of life.
  const onPostgres = database.name === 'postgres' ? [database.name] : [];
  test.for(onPostgres)('signs of life do not wait while a region gets its monitors, on %s', async () => {
    const { store } = daemon;
    const monitor = await addIn('nowhere');
    expect(await regionsOf(monitor)).toEqual([]);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const at = minuteAgo();
    const locked = store.write(async (trx) => {
      await trx.selectFrom('monitor_state').select('monitor').forUpdate().execute();
      await store.db.updateTable('region').set({ seen_at: at, retired_at: at }).execute();
      await released;
    });
    try {
      await eventually(async () => expect((await regionNamed('default')).seen_at).toBe(joining));
      const aliveAt = async () =>
        (await store.db.selectFrom('presence').select('alive_at').executeTakeFirstOrThrow()).alive_at;
      const before = await aliveAt();
      await eventually(async () => expect(await aliveAt()).toBeGreaterThan(before + 1500));
      expect((await regionNamed('default')).seen_at).toBe(joining);
    } finally {
      release();
      await locked;
    }
    await eventually(async () => expect(await regionsOf(monitor)).toEqual(['default']));
  });
});
