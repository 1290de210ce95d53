import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { partitionsOfResults, removePartitions } from '../testing/partitioned-postgres.ts';
import { prepareResultPartitions } from './migrations/0046-result-partitions.ts';

const postgres = databases.find(({ name }) => name === 'postgres')!;

describe('an upgrade to partitions of results', () => {
  let database: TestDatabase;
  const now = Date.now();
  const far = now + 30 * dayMs;

  beforeEach(async () => {
    database = await postgres.open();
    await removePartitions(database.store);
  });

  afterEach(() => database.dispose());

  const add = (monitor: number, at: number) =>
    database.store.db
      .insertInto('result')
      .values({ monitor, at, region: 1, code: 0, tenths: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const fileOf = async (table: string) => {
    const { rows } = await sql<{ file: string }>`select pg_relation_filenode(${table}::regclass) as file`.execute(
      database.store.db,
    );
    return rows[0]!.file;
  };
  const places = async () => {
    const { rows } = await sql<{ place: string; monitor: number }>`
      select tableoid::regclass::text as place, monitor from result order by monitor`.execute(database.store.db);
    return rows.map(({ place, monitor }) => [monitor, place]);
  };

  it('turns the table into the first partition without copying its rows, and puts later rows into the default partition', async () => {
    await add(1, now - 400 * dayMs);
    await add(2, now);
    await add(3, far);
    const file = await fileOf('result');
    await database.openAnother();
    expect(await fileOf('result_first')).toBe(file);
    expect(await places()).toEqual([
      [1, 'result_first'],
      [2, 'result_first'],
      [3, 'result_other'],
    ]);
  });

  it('lets nodes store results of any time while it runs, and continues after a kill', async () => {
    await add(1, now);
    await prepareResultPartitions(database.store.db, database.store.dialect);
    await add(2, now);
    await add(3, far);
    await add(3, far);
    await database.openAnother();
    expect(await places()).toEqual([
      [1, 'result_first'],
      [2, 'result_first'],
      [3, 'result_other'],
    ]);
    await add(3, far);
    expect(await places()).toHaveLength(3);
  });

  it('loses no result that a running node stores during the upgrade', async () => {
    const ending = new AbortController();
    let written = 0;
    const serving = (async () => {
      while (!ending.signal.aborted)
        await database.store.write(
          (trx) =>
            trx
              .insertInto('result')
              .values({ monitor: ++written, at: written % 2 ? now : far, region: 1, code: 0, tenths: 1 })
              .execute(),
          { durable: false },
        );
    })();
    try {
      await Promise.all([database.openAnother(), database.openAnother()]);
    } finally {
      ending.abort();
      await serving;
    }
    expect((await places()).map(([monitor]) => monitor)).toEqual(
      Array.from({ length: written }, (_, index) => index + 1),
    );
  });

  it('moves rows that are too late for the first partition, in batches if there are many', async () => {
    const rows = 140_000;
    const late = (column: string) => sql`${sql.ref(column)} % 50 = 0`;
    await sql`insert into result (monitor, at, region, code, tenths)
      select n, case when ${late('n')} then ${far}::bigint else ${now}::bigint end, 1, 0, 1
      from generate_series(1, ${sql.lit(rows)}) n`.execute(database.store.db);
    await database.openAnother();
    const { rows: counts } = await sql<{ place: string; count: number; wrong: number }>`
      select tableoid::regclass::text as place, count(*) as count,
        count(*) filter (where (${late('monitor')}) <> (at = ${far}::bigint)) as wrong
      from result group by place order by place`.execute(database.store.db);
    expect(counts).toEqual([
      { place: 'result_first', count: rows - rows / 50, wrong: 0 },
      { place: 'result_other', count: rows / 50, wrong: 0 },
    ]);
  });

  it('moves rows back to the first partition if an earlier upgrade moved them away and was killed days ago', async () => {
    const { db, dialect } = database.store;
    await prepareResultPartitions(db, dialect);
    const since = now - 2 * dayMs;
    await sql`alter table result drop constraint result_end`.execute(db);
    await sql`alter table result add constraint result_end check (at < ${sql.lit(since)}) not valid`.execute(db);
    await sql`insert into result_other (monitor, at, region, code, tenths)
      select n, ${since}::bigint + n, 1, 0, 1 from generate_series(1, 2500) n`.execute(db);
    await database.openAnother();
    expect(await places()).toHaveLength(2500);
    expect(await partitionsOfResults(database.store)).toEqual(['result_first']);
  });

  it('waits for a session that locks the table, and allows other nodes to write between two attempts', async () => {
    const waits = async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted and relation = 'result'::regclass`.execute(
        database.store.db,
      );
      return rows.length > 0;
    };
    const { starting } = await database.store.db.transaction().execute(async (trx) => {
      await sql`lock table result in access share mode`.execute(trx);
      const begun = { starting: database.openAnother() };
      for (const expected of [true, false, true])
        await vi.waitFor(async () => expect(await waits()).toBe(expected), { timeout: 60_000, interval: 20 });
      await add(1, now);
      return begun;
    });
    await starting;
    expect(await places()).toEqual([[1, 'result_first']]);
  });
});
