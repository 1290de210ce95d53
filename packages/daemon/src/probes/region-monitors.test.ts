import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { begunAt, createWatchedProject } from '../testing/watched-project.ts';
import type { Versions } from '../core/version-buckets.ts';
import { createRegionMonitors } from './region-monitors.ts';

const state = { isLeaving: false, signal: new AbortController().signal };

describe.each(databases)('the monitors of a region on $name', (kind) => {
  let database: TestDatabase;
  let region: number;
  let first: number;
  let statements: string[];
  let monoMs: number;
  /** By the test's clock, each statement takes this long. */
  let statementMs: number;
  /** Called after each statement. */
  let onStatement: () => void;
  let store: Store;

  beforeEach(async () => {
    database = await kind.open();
    const project = await createWatchedProject(database.store);
    region = await joinRegion(database.store, 'eu', begunAt);
    first = await project.addMonitor('first', { regions: ['eu'] });
    [statements, monoMs, statementMs, onStatement] = [[], 0, 10, () => {}];
    store = { ...database.store, db: database.store.db.withPlugin(noted()) };
    const token = { id: 'prb', region, digest: 'd', created_at: begunAt };
    await database.store.db.insertInto('probe_token').values(token).execute();
  });
  afterEach(() => database.dispose());

  const noted = (): KyselyPlugin => {
    // A statement is counted when its result arrives. `transformQuery` also gets each select within a statement, but
    // such a select has no result of its own.
    const tables = new WeakMap<object, string>();
    return {
      transformQuery: ({ node, queryId }) => {
        tables.set(queryId, JSON.stringify(node).includes('"monitor"') ? 'monitors' : 'probes');
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        statements.push(tables.get(queryId)!);
        monoMs += statementMs;
        onStatement();
        return result;
      },
    };
  };
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
  /** Copies the first monitor. The copy gets this number. */
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
    // The ten calls take less than half a second of the test's clock. So they read the tables of nodes and probes only
    // once.
    expect(statements.length).toBe(1);
  });

  test('new probes do not make reads take more than the allowed fraction of the time', async () => {
    const monitors = createRegionMonitors(store, clock, region);
    for (let n = 0; n < 10; n++) {
      await join(`probe${n}`);
      await monitors.of(`probe${n}`, state);
    }
    expect(monitorReads()).toBeGreaterThanOrEqual(10);
    expect(monoMs).toBeGreaterThan((monitorReads() - 1) * statementMs * 20);
  });

  test('if the database is slow, a small region is still read again after 1 s', async () => {
    statementMs = 200;
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    const before = await monitors.of('one', state);
    await database.store.db.updateTable('monitor').set({ generation: 7 }).execute();
    monoMs += 990;
    expect(await monitors.of('one', state)).toBe(before);
    monoMs += 10;
    expect((await monitors.of('one', state)).get(first)).not.toBe(before.get(first));
  });

  test('`wereReadAfter` resolves with true only if `of` already returns the monitors of a read that began after the given time', async () => {
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    const before = await monitors.of('one', state);
    // The next regular read is not due yet when the new probe causes a read.
    monoMs += 300;
    await database.store.db.updateTable('monitor').set({ generation: 7 }).execute();
    await join('two');
    const askedMonoMs = monoMs;
    const heard: { isFresh: boolean; had: Versions }[] = [];
    const ask = async () => {
      const isFresh = await monitors.wereReadAfter(askedMonoMs, askedMonoMs, state.signal);
      heard.push({ isFresh, had: await monitors.of('one', state) });
    };
    const asks: Promise<void>[] = [];
    onStatement = () => asks.push(ask());
    await monitors.of('two', state);
    await Promise.all(asks);
    expect(heard.some(({ had }) => had === before)).toBe(true);
    for (const { isFresh, had } of heard) expect(isFresh).toBe(had !== before);
    expect(await monitors.wereReadAfter(askedMonoMs, askedMonoMs, state.signal)).toBe(true);
    expect((await monitors.of('one', state)).get(first)).not.toBe(before.get(first));
  });

  test('a probe whose checks fail gets no monitors for five minutes if another probe works, and causes no further reads', async () => {
    await join('ill');
    await join('well');
    for (let n = 0; n < 10; n++) await addCopy(5000 + n);
    const counts = async (failed: { ill: number | null; well: number | null }) => {
      for (const [name, failed_at] of Object.entries(failed))
        await database.store.db.updateTable('probe').set({ failed_at }).where('name', '=', name).execute();
      monoMs += 1e6;
      return [(await monitors.of('ill', state)).size, (await monitors.of('well', state)).size];
    };
    const monitors = createRegionMonitors(store, clock, region);
    const shared = [expect.toSatisfy((size) => size > 0), expect.toSatisfy((size) => size > 0)];
    expect(await counts({ ill: null, well: null })).toEqual(shared);
    expect(await counts({ ill: begunAt - 299_000, well: null })).toEqual([0, 11]);
    statements = [];
    for (let call = 0; call < 10; call++) await monitors.of('ill', state);
    expect(statements).toEqual([]);
    expect(await counts({ ill: begunAt - 301_000, well: null })).toEqual(shared);
    // If all probes fail, they share the monitors, also while the fault of one probe is older than that of another.
    expect(await counts({ ill: begunAt, well: begunAt })).toEqual(shared);
    expect(await counts({ ill: begunAt - 299_000, well: begunAt - 301_000 })).toEqual(shared);
    expect(await counts({ ill: begunAt - 299_000, well: begunAt - 361_000 })).toEqual([0, 11]);
  });

  test('if the read of an edit fails, the next read finds the edit', async () => {
    await join('one');
    const monitors = createRegionMonitors(store, clock, region);
    const before = await monitors.of('one', state);
    await database.store.db.updateTable('monitor').set({ generation: 7 }).execute();
    await addCopy(5000);
    monoMs += 1e6;
    // The tables of nodes and probes, and the signature of the page, are read before the page.
    let left = 3;
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
