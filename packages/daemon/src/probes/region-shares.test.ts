import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import { versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { begunAt, createWatchedProject } from '../testing/watched-project.ts';
import { maxInPage } from './region-pages.ts';
import { createRegionShares, type RegionShares } from './region-shares.ts';

const probes = ['one', 'two'];

describe.each(databases)('the shares of the probes of a region on $name', (kind) => {
  let database: TestDatabase;
  let region: number;
  let other: number;
  let maxPageRows: number;
  let shares: RegionShares;
  let statements: number;
  let maxRows: number;
  let onStatement: () => void;

  beforeEach(async () => {
    database = await kind.open();
    const project = await createWatchedProject(database.store);
    region = await joinRegion(database.store, 'eu', begunAt);
    other = await joinRegion(database.store, 'us', begunAt);
    await project.addMonitor('first', { regions: ['eu'] });
    maxPageRows = maxInPage(database.store);
    [statements, maxRows, onStatement] = [0, 0, () => {}];
    const store: Store = { ...database.store, db: database.store.db.withPlugin(counted) };
    shares = createRegionShares(store, { monotonicMs: () => 0 }, region);
  });
  afterEach(() => database.dispose());

  const counted: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      onStatement();
      maxRows = Math.max(maxRows, result.rows.length);
      return result;
    },
  };

  /** Adds copies of the first monitor. Their numbers begin at `from` and are `step` apart. */
  const add = async (count: number, { from, step = 1, to = region }: { from: number; step?: number; to?: number }) => {
    const { db } = database.store;
    const first = await db.selectFrom('monitor').selectAll().orderBy('seq').limit(1).executeTakeFirstOrThrow();
    const kept = Object.keys(first).filter((name) => name !== 'seq' && name !== 'id');
    const columns = sql.join(kept.map((name) => sql.ref(name)));
    const numbers = sql`with recursive n(seq) as (
      select cast(${sql.lit(from)} as bigint) union all
      select seq + ${sql.lit(step)} from n where seq < ${sql.lit(from + (count - 1) * step)})`;
    await sql`insert into monitor (seq, id, ${columns}) ${numbers}
      select n.seq, 'mon_' || n.seq, ${columns} from n join monitor on monitor.seq = ${sql.lit(first.seq)}`.execute(db);
    await sql`insert into schedule (monitor, region, next_at) ${numbers}
      select n.seq, ${sql.lit(to)}, 0 from n`.execute(db);
    if (database.store.dialect.name === 'postgres') await sql`analyze monitor, schedule`.execute(db);
  };
  /** Reads the shares. Returns how many statements that took. */
  const read = async () => {
    const before = statements;
    await shares.read(probes);
    return statements - before;
  };
  const expectAllMonitors = async () => {
    const rows = await database.store.db
      .selectFrom('schedule')
      .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
      .where('region', '=', region)
      .select(['seq', 'generation', 'monitor.updated_at as updatedAt'])
      .orderBy('seq')
      .execute();
    const found = probes.flatMap((probe) => [...shares.of(probe)!]).toSorted(([a], [b]) => a - b);
    expect(found).toEqual(rows.map((row) => [row.seq, versionOf(row)]));
    const numbers = [...shares.of('one')!.keys()];
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  };

  test('a small region is read with one statement, even if the numbers of its monitors are far apart', async () => {
    await add(3000, { from: 10, step: 300, to: other });
    await add(3, { from: 2500, step: 500_000 });
    expect(await read()).toBe(1);
    await expectAllMonitors();
    expect(await read()).toBe(1);
    await database.store.db.updateTable('monitor').set({ generation: 7 }).where('seq', '=', 502_500).execute();
    expect(await read()).toBe(2);
    await expectAllMonitors();
    await database.store.db.deleteFrom('schedule').where('monitor', '=', 1_002_500).execute();
    expect(await read()).toBe(2);
    await expectAllMonitors();
  });

  test('a large region is read in pages, and only the pages that changed are loaded again', async () => {
    await add(maxPageRows * 2.5, { from: 10, step: 10 });
    const loaded = await read();
    await expectAllMonitors();
    expect(loaded).toBeLessThanOrEqual(4);
    expect(await read()).toBe(loaded);
    const [one, two] = probes.map((probe) => shares.of(probe));
    await database.store.db
      .updateTable('monitor')
      .set({ updated_at: begunAt + 1 })
      .where('seq', '=', 100)
      .execute();
    expect(await read()).toBe(loaded + 1);
    await expectAllMonitors();
    // Only the probe of that monitor gets a new map.
    expect([shares.of('one') === one, shares.of('two') === two].filter(Boolean)).toHaveLength(1);
    expect(maxRows).toBeLessThanOrEqual(maxPageRows + 1);
  });

  test('a page that becomes too full is cut, and pages that become empty are joined', async () => {
    await add(maxPageRows * 1.5, { from: 10, step: 10 });
    await read();
    await add(maxPageRows * 2, { from: 11, step: 10, to: other });
    await database.store.db.updateTable('schedule').set({ region }).where('region', '=', other).execute();
    await read();
    await expectAllMonitors();
    expect(await read()).toBeLessThanOrEqual(7);
    expect(maxRows).toBeLessThanOrEqual(maxPageRows + 1);
    await database.store.db.deleteFrom('schedule').where('monitor', '>', 30).execute();
    await read();
    await expectAllMonitors();
    await read();
    expect(await read()).toBe(1);
    await expectAllMonitors();
  });

  test('if the last monitors are removed after pages were joined, no probe keeps them', async () => {
    await add(maxPageRows * 1.5, { from: 10 });
    await read();
    await database.store.db.deleteFrom('schedule').where('monitor', '>', 30).execute();
    await read();
    await database.store.db.deleteFrom('schedule').execute();
    await read();
    expect(probes.map((probe) => shares.of(probe)?.size)).toEqual([0, 0]);
  });

  test("a new monitor that splits a page of the region's monitors changes only the share of its own probe", async () => {
    await add(maxPageRows - 1, { from: 10 });
    expect(await read()).toBe(1);
    const before = probes.map((probe) => shares.of(probe));
    await add(1, { from: 1_000_000 });
    await read();
    await expectAllMonitors();
    expect(await read()).toBe(2);
    expect(probes.filter((probe, index) => shares.of(probe) === before[index])).toHaveLength(1);
  });

  test('other work runs between the statements that read a large region', async () => {
    await add(maxPageRows * 4, { from: 10 });
    let [going, since, longest] = [true, 0, 0];
    onStatement = () => (longest = Math.max(longest, ++since));
    const look = () => {
      since = 0;
      if (going) setImmediate(look);
    };
    setImmediate(look);
    expect(await read()).toBeGreaterThanOrEqual(4);
    going = false;
    expect(longest).toBeLessThanOrEqual(2);
  });
});
