import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../store/store.ts';
import { createPlans } from '../testing/billing.ts';
import { free } from '../testing/billing-world.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { run, startOn } from '../testing/run-admin.ts';
import { begunAt, monitorFields } from '../testing/watched-project.ts';
import { joinRegion } from './join-region.ts';
import { changeMonitor, initMonitor } from './monitor-life.ts';
import { joining } from './regions.ts';
import { retireRegion } from './retire-region.ts';
import { servingWarnings } from './serving-warnings.ts';

interface New {
  limit?: number | null;
  regions?: string[];
  paused?: boolean;
}

/** Adds a monitor. `limit` is the maximum number of regions that its plan allows. */
const addMonitor = (store: Store, name: string, now: number, { limit = null, ...input }: New = {}) =>
  store.write(async (trx) => {
    const fields = monitorFields({ name, ...input });
    const { type } = fields;
    const row = monitorRow(`mon_${name}`, 'prj', { type, name, region_limit: limit, config: JSON.stringify(fields) });
    const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
    await initMonitor(trx, { seq, fields, now });
    return { seq, fields };
  });

/** Resolves with a text for each monitor: the regions in its state, and the regions in its schedule. */
async function regionsOf({ db }: Store): Promise<Record<string, string>> {
  const names = new Map(
    (await db.selectFrom('region').select(['id', 'name']).execute()).map((row) => [row.id, row.name]),
  );
  const scheduled = await db.selectFrom('schedule').select(['monitor', 'region']).orderBy('region').execute();
  const states = await db
    .selectFrom('monitor_state')
    .innerJoin('monitor', 'monitor.seq', 'monitor_state.monitor')
    .select(['monitor.seq', 'monitor.name', 'monitor_state.regions'])
    .execute();
  return Object.fromEntries(
    states.map(({ seq, name, regions }) => {
      const inState = Object.keys(JSON.parse(regions) as object).map((id) => names.get(Number(id)));
      const inSchedule = scheduled.filter(({ monitor }) => monitor === seq).map(({ region }) => names.get(region));
      return [name, `${inState.join()} checked from ${inSchedule.join()}`];
    }),
  );
}
const everywhere = (regions: string) => `${regions} checked from ${regions}`;

describe.each(databases)('regions of monitors that name none, on $name', ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    ({ store } = database);
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await joinRegion(store, 'default', begunAt);
    const run = { instance: 'serve:one', region: 1, roles: 'api,checker' };
    await store.db
      .insertInto('presence')
      .values({ ...run, started_at: begunAt, alive_at: minuteLater })
      .execute();
  });
  afterEach(() => database.dispose());

  const add = (name: string, now: number, more?: New) => addMonitor(store, name, now, more);
  const report = (name: string, now: number) =>
    store.db.updateTable('region').set({ seen_at: now }).where('name', '=', name).execute();
  const minuteLater = begunAt + 60_000;

  test('a monitor keeps a retired region if it names the region or has no limit; a monitor whose plan limits its regions leaves it', async () => {
    await joinRegion(store, 'eu', begunAt);
    await add('free', begunAt);
    await add('one', begunAt, { limit: 1 });
    await add('paused', begunAt, { limit: 1, paused: true });
    await add('two', begunAt, { limit: 2 });
    await add('named', begunAt, { limit: 1, regions: ['default'] });
    await report('eu', minuteLater);
    expect(await retireRegion(store, 'default', minuteLater)).toBe(3);
    expect(await retireRegion(store, 'default', minuteLater)).toBe(0);
    await add('later', minuteLater);
    await add('later one', minuteLater, { limit: 1 });
    const moved = {
      free: everywhere('default,eu'),
      one: everywhere('eu'),
      paused: 'eu checked from ',
      two: everywhere('eu'),
      named: everywhere('default'),
      later: everywhere('eu'),
      'later one': everywhere('eu'),
    };
    expect(await regionsOf(store)).toEqual(moved);

    await joinRegion(store, 'us', minuteLater);
    const wider = {
      ...moved,
      free: everywhere('default,eu,us'),
      two: everywhere('eu,us'),
      later: everywhere('eu,us'),
    };
    expect(await regionsOf(store)).toEqual(wider);
    await joinRegion(store, 'default', minuteLater);
    expect(await regionsOf(store)).toEqual({ ...wider, later: everywhere('default,eu,us') });
  });

  test('if every region is retired, a warning says so, and the next new region gets the monitors', async () => {
    await add('one', begunAt, { limit: 1 });
    await retireRegion(store, 'default', minuteLater);
    await add('later', minuteLater, { limit: 1 });
    expect(await regionsOf(store)).toEqual({ one: everywhere('default'), later: everywhere('') });
    const warnings = async () => (await servingWarnings(store, minuteLater)).filter((text) => text.includes('egion'));
    expect(await warnings()).toEqual([
      'Every region is retired, so monitors that name no region are not checked. Start a daemon or a probe.',
    ]);
    await joinRegion(store, 'eu', minuteLater);
    expect(await regionsOf(store)).toEqual({ one: everywhere('eu'), later: everywhere('eu') });
    expect(await warnings()).toEqual([]);
  });

  test('a silent region keeps its monitors while other regions report or are retired; new monitors get a region that reports', async () => {
    await joinRegion(store, 'eu', begunAt);
    await joinRegion(store, 'old', begunAt);
    await add('one', begunAt, { limit: 1 });
    await report('eu', minuteLater);
    await joinRegion(store, 'eu', minuteLater);
    await retireRegion(store, 'old', minuteLater);
    expect(await regionsOf(store)).toEqual({ one: everywhere('default') });
    await add('later', minuteLater, { limit: 1 });
    expect(await regionsOf(store)).toEqual({ one: everywhere('default'), later: everywhere('eu') });
  });

  test('after a change to a larger plan, a monitor gets a second region and keeps its first region', async () => {
    await joinRegion(store, 'eu', begunAt);
    await joinRegion(store, 'us', minuteLater);
    const { seq, fields } = await add('one', minuteLater, { limit: 1 });
    expect(await regionsOf(store)).toEqual({ one: everywhere('us') });
    await report('default', minuteLater);
    await report('eu', minuteLater);
    await store.write(async (trx) => {
      await trx.updateTable('monitor').set({ region_limit: 2 }).where('seq', '=', seq).execute();
      await changeMonitor(trx, { seq, before: fields, after: fields, relimited: true, now: minuteLater });
    });
    expect(await regionsOf(store)).toEqual({ one: everywhere('default,us') });
  });

  test('a new region gets a monitor with a limit only if all regions of the monitor are silent', async () => {
    await add('one', begunAt, { limit: 1 });
    await joinRegion(store, 'eu', begunAt + 25_000);
    expect(await regionsOf(store)).toEqual({ one: everywhere('default') });
    await joinRegion(store, 'us', minuteLater, { observingSince: begunAt });
    // `eu` is silent too, so it is not better than `default`.
    expect(await regionsOf(store)).toEqual({ one: everywhere('us') });
  });

  test('a region that appears right after a restart of the server takes no monitors from regions whose probes had no time to report', async () => {
    await add('one', begunAt, { limit: 1 });
    const restartedAt = begunAt + 40_000;
    await joinRegion(store, 'eu', restartedAt);
    await joinRegion(store, 'us', restartedAt + 30_000, { observingSince: restartedAt });
    expect(await regionsOf(store)).toEqual({ one: everywhere('default') });
    await joinRegion(store, 'asia', restartedAt + 30_001, { observingSince: restartedAt });
    // Now `default` is silent, and `us` is the first region that is served.
    expect(await regionsOf(store)).toEqual({ one: everywhere('us') });
  });

  test('a smaller plan moves no monitor away from a silent region', async () => {
    await joinRegion(store, 'eu', begunAt);
    const { seq, fields } = await add('two', begunAt, { limit: 2 });
    await joinRegion(store, 'us', minuteLater);
    await store.write(async (trx) => {
      await trx.updateTable('monitor').set({ region_limit: 1 }).where('seq', '=', seq).execute();
      await changeMonitor(trx, { seq, before: fields, after: fields, relimited: true, now: minuteLater });
    });
    expect(await regionsOf(store)).toEqual({ two: everywhere('default') });
  });

  test.each([
    ['just after a start of the server', { started_at: begunAt + 30_000 }],
    ['while no server runs', { alive_at: begunAt + 30_000 }],
    ['if the only server does not take reports of probes', { roles: 'checker' }],
  ])('a region cannot be retired %s', async (_, change) => {
    await store.db.updateTable('presence').set(change).execute();
    await expect(retireRegion(store, 'default', minuteLater)).rejects.toThrow(
      'After the last report from the region "default", the server ran for less than 30 s,',
    );
    await store.db
      .updateTable('presence')
      .set({ started_at: 0, alive_at: begunAt + 30_001, roles: 'api' })
      .execute();
    expect(await retireRegion(store, 'default', minuteLater)).toBe(0);
  });

  test('a region that is being added to monitors counts as served, and its last report is at the end of this work', async () => {
    await add('one', begunAt);
    await report('default', joining);
    expect(await servingWarnings(store, minuteLater)).not.toContainEqual(expect.stringContaining('region'));
    await joinRegion(store, 'default', begunAt, { clock: { now: () => minuteLater } });
    const { seen_at: seenAt } = await store.db.selectFrom('region').select('seen_at').executeTakeFirstOrThrow();
    expect(seenAt).toBe(minuteLater);
  });

  test('a region that is being added to monitors cannot be retired, unless its daemon and its probes are gone', async () => {
    await report('default', joining);
    const alive = (at: number) => store.db.updateTable('presence').set({ alive_at: at }).execute();
    await alive(minuteLater + 40_000);
    await expect(retireRegion(store, 'default', minuteLater + 50_000)).rejects.toThrow('is in use');
    await retireRegion(store, 'default', minuteLater + 80_000);
  });
});

describe.each(databases)('a server with plans, on $name', (database) => {
  const env = { UPTIME_BILLING: 'sandbox', UPTIME_REGION: 'default' };
  let server: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    server = await startOn(database, env);
    await createPlans(server.daemon, [{ ...free, monitors: 10 }]);
  });
  afterAll(() => server.daemon.close());

  test('after the server moved to a new region and the old region was retired, all monitors are checked from the new region', async () => {
    const { daemon, place } = server;
    const create = async (name: string) => {
      const body = { type: 'tcp', name, host: 'localhost', port: 1, interval: 60 };
      const { status, body: made } = await daemon.request('POST', '/api/monitors', body);
      expect(status).toBe(201);
      return (made as { id: string }).id;
    };
    const isUpFrom = (id: string, region: string) =>
      vi.waitFor(
        async () =>
          expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({
            status: 'up',
            regionResults: [{ region, status: 'up' }],
          }),
        { timeout: 20_000, interval: 50 },
      );
    const before = await create('before');
    await isUpFrom(before, 'default');

    env.UPTIME_REGION = 'eu';
    onTestFinished(() => void (env.UPTIME_REGION = 'default'));
    await daemon.restart();
    const silentAt = Date.now() - 60_000;
    await daemon.store.db.updateTable('region').set({ seen_at: silentAt }).where('name', '=', 'default').execute();
    await daemon.store.db.updateTable('presence').set({ started_at: silentAt }).execute();
    await isUpFrom(await create('between'), 'eu');
    expect(await run(['regions', 'retire', 'default'], place)).toContain(
      'default is retired. 1 monitor(s) whose plan limits their regions got another region.',
    );
    await isUpFrom(before, 'eu');
    await isUpFrom(await create('after'), 'eu');
  });
});
