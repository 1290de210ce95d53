import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { begunAt, createWatchedProject } from '../testing/watched-project.ts';
import { createRegionMonitors } from './region-monitors.ts';

const state = { isLeaving: false, signal: new AbortController().signal };
/** By the test's clock, each statement takes this long. */
const statementMs = 10;

describe.each(databases)('the monitors of a region on $name', (kind) => {
  let database: TestDatabase;
  let region: number;
  let first: number;
  let statements: string[];
  let monoMs: number;
  /** Called before each statement. */
  let onStatement: () => void;
  let store: Store;

  beforeEach(async () => {
    database = await kind.open();
    const project = await createWatchedProject(database.store);
    region = await joinRegion(database.store, 'eu', begunAt);
    first = await project.addMonitor('first', { regions: ['eu'] });
    [statements, monoMs, onStatement] = [[], 0, () => {}];
    store = { ...database.store, db: database.store.db.withPlugin(noted()) };
    const token = { id: 'prb', region, digest: 'd', created_at: begunAt };
    await database.store.db.insertInto('probe_token').values(token).execute();
  });
  afterEach(() => database.dispose());

  const noted = (): KyselyPlugin => ({
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node).includes('"monitor"') ? 'monitors' : 'probes');
      monoMs += statementMs;
      onStatement();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const clock = {
    now: () => begunAt,
    monotonicMs: () => monoMs,
    after: (ms: number, run: () => void) => {
      const timer = setImmediate(() => {
        monoMs += ms;
        run();
      });
      return () => clearImmediate(timer);
    },
  };
  const join = (name: string) =>
    database.store.db
      .insertInto('probe')
      .values({ name, token: 'prb', region, version: '1', queued: 0, first_seen_at: begunAt, seen_at: begunAt })
      .execute();
  /** Adds a copy of the first monitor with this number. */
  const addCopy = async (seq: number) => {
    const { db } = database.store;
    const monitor = await db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
    const schedule = await db.selectFrom('schedule').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('monitor')
      .values({ ...monitor, id: `mon_${seq}`, seq })
      .execute();
    await db
      .insertInto('schedule')
      .values({ ...schedule, monitor: seq })
      .execute();
  };
  const monitorReads = () => statements.filter((what) => what === 'monitors').length;

  test('monitors are not read while a daemon serves the region, however often probes ask', async () => {
    const presence = { instance: 'serve:one', region, roles: 'checker', started_at: begunAt, alive_at: begunAt };
    await database.store.db.insertInto('presence').values(presence).execute();
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    for (let call = 0; call < 10; call++) expect((await monitors.of('one', state)).size).toBe(0);
    expect(monitorReads()).toBe(0);
    // The tables of nodes and probes are read only once every half second too.
    expect(statements.length).toBe(1);
  });

  test('new probes cause no reads beyond the allowed fraction of the time', async () => {
    const monitors = createRegionMonitors(store, clock, region);
    for (let n = 0; n < 10; n++) {
      await join(`probe${n}`);
      await monitors.of(`probe${n}`, state);
    }
    expect(monoMs).toBeGreaterThan((statements.length - 10) * statementMs * 15);
  });

  test('a probe gets the monitors of all ranges of numbers, and only the ranges that changed are loaded again', async () => {
    await addCopy(2500);
    await addCopy(999_000);
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    const before = await monitors.of('one', state);
    expect([...before.keys()]).toEqual([first, 2500, 999_000]);
    monoMs += 1e6;
    expect(await monitors.of('one', state)).toBe(before);
    const reads = monitorReads();
    monoMs += 1e6;
    await monitors.of('one', state);
    const unchanged = monitorReads() - reads;
    await database.store.db.updateTable('monitor').set({ generation: 7 }).where('seq', '=', 2500).execute();
    monoMs += 1e6;
    const edited = await monitors.of('one', state);
    expect(monitorReads() - reads).toBe(2 * unchanged + 1);
    expect(edited.get(2500)).not.toBe(before.get(2500));
    expect(edited.get(first)).toBe(before.get(first));
    await database.store.db.deleteFrom('schedule').where('monitor', '=', 999_000).execute();
    monoMs += 1e6;
    expect([...(await monitors.of('one', state)).keys()]).toEqual([first, 2500]);
  });

  test('other work runs between the statements that read a large region', async () => {
    await addCopy(20_500);
    await join('one');
    let [turns, going, most, since] = [0, true, 0, 0];
    onStatement = () => (most = Math.max(most, ++since));
    const look = () => {
      turns++;
      since = 0;
      if (going) setImmediate(look);
    };
    setImmediate(look);
    expect((await createRegionMonitors(store, clock, region).of('one', state)).size).toBe(2);
    going = false;
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(most).toBeLessThan(10);
  });

  test('an edit whose read failed is found by the next read', async () => {
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    const before = await monitors.of('one', state);
    await database.store.db.updateTable('monitor').set({ generation: 7 }).execute();
    await addCopy(5000);
    monoMs += 1e6;
    let left = 6;
    onStatement = () => {
      if (left-- === 0) throw new Error('not now');
    };
    await expect(monitors.of('one', state)).rejects.toThrow('not now');
    onStatement = () => {};
    monoMs += 1e6;
    const after = await monitors.of('one', state);
    expect([...after.keys()]).toEqual([first, 5000]);
    expect(after.get(first)).not.toBe(before.get(first));
  });
});
