import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql, type Transaction } from 'kysely';
import { dayMs } from '../../core/uptime.ts';
import type { Dialect } from '../dialect.ts';
import { firstPartition, otherPartition } from '../result-partitions.ts';
import type { Tables } from '../tables.ts';

/** The first partition ends this long after the upgrade began, at the end of a day. */
const firstEndsAfterDays = 3;
/**
 * How long a step waits for a lock. Statements of other nodes wait behind the step, so it fails after this time and is
 * repeated later.
 */
const lockTimeout = `set local lock_timeout = '1s'`;
/** How many pages of `result` one statement searches for rows to move, and how many rows it moves at most. */
const [pagesOfPiece, rowsOfPiece] = [1000, 1000];

/**
 * On PostgreSQL, makes `result` a table that is partitioned by time. The former table becomes the first partition,
 * without copying its rows. The default partition takes rows that no other partition takes.
 */
export const resultPartitions =
  ({ name }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    if (name !== 'postgres') return;
    await sql.raw(lockTimeout).execute(db);
    if (!(await readEnd(db))) await setFirstEnd(db);
    const end = sql.lit((await readEnd(db))!);
    const [first, other] = [sql.table(firstPartition), sql.table(otherPartition)];
    await sql`drop trigger result_later on result`.execute(db);
    await sql`drop function result_later()`.execute(db);
    await sql`alter table result rename to ${first}`.execute(db);
    await sql`alter table ${first} rename constraint result_key to result_first_key`.execute(db);
    await sql`create table result (like ${first} including defaults, constraint result_key primary key (monitor, at, region))
      partition by range (at)`.execute(db);
    await sql`alter table result attach partition ${first} for values from (minvalue) to (${end})`.execute(db);
    await sql`alter table result attach partition ${other} default`.execute(db);
    await sql`alter table ${first} drop constraint result_end`.execute(db);
  };

/**
 * Proves to PostgreSQL that the rows of `result` fit in the first partition, while other nodes write to this table. So
 * the migration itself reads no rows, and locks the table only for a moment. After a kill, the next start repeats this.
 */
export async function prepareResultPartitions(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // Runs a step. Only one starting node at a time runs a step. No step needs a second connection, because a pooler may
  // allow only one connection.
  const step = <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await dialect.lockMigrations(trx);
      const { rows } = await sql`select 1 from pg_class where oid = to_regclass('result') and relkind = 'r'`.execute(
        trx,
      );
      return rows.length > 0 ? work(trx) : null;
    });
  await step(async (trx) => {
    const known = await readEnd(trx);
    if (known !== null && known >= (await databaseTime(trx)) + dayMs) return;
    await sql.raw(lockTimeout).execute(trx);
    await setFirstEnd(trx);
  });
  while (await step(moveBack));
  const pages = (await step(countPages)) ?? 0;
  for (let from = 0; from < pages; from += pagesOfPiece)
    while (await step((trx) => moveAhead(trx, from, from + pagesOfPiece)));
  // Other nodes can read and write during this statement.
  await step((trx) => sql`alter table result validate constraint result_end`.execute(trx));
}

/**
 * Moves a batch of rows back to `result`. An upgrade that was killed had moved these rows away, because the end of the
 * first partition was earlier at that time. Returns whether more such rows may exist.
 */
async function moveBack(trx: Transaction<Tables>): Promise<boolean> {
  const old = sql`select ctid from ${sql.table(otherPartition)} where at < ${sql.lit((await readEnd(trx))!)}`;
  return move(trx, otherPartition, 'result', old);
}

/**
 * Searches some pages of `result` for rows that are too late for the first partition, and moves a batch of these rows
 * to the default partition. Returns whether more such rows may exist.
 */
async function moveAhead(trx: Transaction<Tables>, from: number, until: number): Promise<boolean> {
  const late = sql`select ctid from result where ctid >= ${sql.lit(`(${from},0)`)}::tid
    and ctid < ${sql.lit(`(${until},0)`)}::tid and at >= ${sql.lit((await readEnd(trx))!)}`;
  return move(trx, 'result', otherPartition, late);
}

async function move(trx: Transaction<Tables>, from: string, to: string, found: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from ${sql.table(from)} where ctid = any(array(${found} limit ${sql.lit(rowsOfPiece)})) returning *
    ), written as (insert into ${sql.table(to)} select * from moved on conflict do nothing)
    select count(*) as moved from moved`.execute(trx);
  return rows[0]!.moved === rowsOfPiece;
}

async function countPages(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select pg_relation_size('result') / current_setting('block_size')::int as pages`.execute(trx);
  return rows[0]!.pages;
}

async function databaseTime(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(db);
  return rows[0]!.at;
}

/**
 * Sets the end of the first partition. From then on, a trigger puts later rows into the default partition, and a
 * constraint keeps them out of `result`.
 */
async function setFirstEnd(db: QueryExecutorProvider): Promise<void> {
  const other = sql.table(otherPartition);
  const end = sql.lit((Math.floor((await databaseTime(db)) / dayMs) + firstEndsAfterDays) * dayMs);
  // Every node locks this table first, so no deadlock is possible.
  await sql`lock table result in access exclusive mode`.execute(db);
  await sql`create table if not exists ${other} (like result including all)`.execute(db);
  await sql`create index if not exists result_other_at on ${other} (at)`.execute(db);
  await sql`alter table result drop constraint if exists result_end`.execute(db);
  await sql`drop trigger if exists result_later on result`.execute(db);
  await sql`create or replace function result_later() returns trigger language plpgsql as $$ begin
    insert into ${other} select new.* on conflict do nothing; return null; end $$`.execute(db);
  await sql`create trigger result_later before insert on result for each row when (new.at >= ${end})
    execute function result_later()`.execute(db);
  await sql`alter table result add constraint result_end check (at < ${end}) not valid`.execute(db);
}

async function readEnd(db: QueryExecutorProvider): Promise<number | null> {
  const { rows } = await sql<{ end: string }>`
    select substring(pg_get_constraintdef(oid) from '\\d{10,}') as "end" from pg_constraint
    where conrelid = 'result'::regclass and conname = 'result_end'`.execute(db);
  return rows[0] ? Number(rows[0].end) : null;
}
