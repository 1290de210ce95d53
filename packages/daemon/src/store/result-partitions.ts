import { type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { dayMs } from '../core/uptime.ts';
import { schemaLock } from './postgres-dialect.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * The partition that was the whole table before the upgrade to partitions. It is never dropped. Its old rows are
 * deleted instead.
 */
export const firstPartition = 'result_first';
/**
 * The default partition, for times that no other partition covers. It is never dropped. Its old rows are deleted
 * instead.
 */
export const otherPartition = 'result_other';

/** Partitions are made for all times from today until this long after now. */
const aheadMs = 8 * dayMs;
/**
 * Maximum number of partitions within the retention. With a long retention, each partition covers several days, because
 * every partition costs planning time.
 */
const maxKept = 40;
/**
 * A new partition takes at most this many rows from the default partition. If the default partition has more rows from
 * the new partition's range of time, the new partition is not made.
 */
const maxMoved = 1000;
/** How many rows of `result_detail` one transaction deletes. */
const piece = 1000;

export interface Partition {
  name: string;
  /** The range begins at `from` and ends before `until`, in epoch milliseconds. */
  from: number;
  until: number;
}

/** Returns the partitions that have both a start and an end, in order of time. Only these partitions are dropped. */
export async function readPartitions(db: QueryExecutorProvider): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select relname as name, bounds[1]::bigint as "from", bounds[2]::bigint as until
    from pg_inherits join pg_class on oid = inhrelid
    cross join regexp_match(pg_get_expr(relpartbound, oid), 'FROM \\(''(-?\\d+)''\\) TO \\(''(-?\\d+)''\\)') as bounds
    where inhparent = 'result'::regclass and bounds is not null order by "from"`.execute(db);
  return rows;
}

/**
 * Makes the partitions that the coming days need. While another node changes the schema, this function makes no
 * partitions. The next call makes them.
 */
export async function makePartitions(store: Store, now: number, retentionDays: number): Promise<void> {
  const widthMs = Math.ceil(retentionDays / maxKept) * dayMs;
  const from = Math.max(Math.floor(now / dayMs) * dayMs, await endOfFirst(store.db));
  for (const range of missing(await readPartitions(store.db), { from, until: now + aheadMs, widthMs }))
    await withSchemaLock(store, async (trx) => {
      const known = await readPartitions(trx);
      if (known.some(({ from, until }) => from < range.until && range.from < until)) return;
      await makePartition(trx, range);
    });
}

/** Returns the end of the first partition. That partition has no start, because it takes all earlier times. */
async function endOfFirst(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ until: number }>`
    select (regexp_match(pg_get_expr(relpartbound, oid), 'TO \\(''(\\d+)''\\)'))[1]::bigint as until
    from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'result'::regclass and relname = ${firstPartition}`.execute(db);
  return rows[0]?.until ?? 0;
}

/** Returns the ranges of time that have no partition yet. */
function missing(
  known: readonly Partition[],
  { from, until, widthMs }: { from: number; until: number; widthMs: number },
): Partition[] {
  const ranges: Partition[] = [];
  for (let at = from; at < until;) {
    const begun = at;
    const there = known.find((one) => one.from <= begun && begun < one.until);
    const next = known.find((one) => one.from > begun);
    at = there?.until ?? Math.min(begun + widthMs, next?.from ?? Infinity);
    if (!there) ranges.push({ name: `result_${begun / dayMs}`, from: begun, until: at });
  }
  return ranges;
}

async function makePartition(trx: Transaction<Tables>, { name, from, until }: Partition): Promise<void> {
  const [table, other] = [sql.table(name), sql.table(otherPartition)];
  const range = sql`at >= ${sql.lit(from)} and at < ${sql.lit(until)}`;
  // An insert that PostgreSQL has already routed to the default partition would fail if another partition for its time
  // were made. With this lock, inserts wait before they are routed.
  await sql`lock table only result in share row exclusive mode`.execute(trx);
  await sql`lock table ${other} in access exclusive mode`.execute(trx);
  const misplaced = await sql`select 1 from ${other} where ${range} limit ${sql.lit(maxMoved + 1)}`.execute(trx);
  if (misplaced.rows.length > maxMoved) return;
  await sql`create table ${table} (like result including all)`.execute(trx);
  await sql`with moved as (delete from ${other} where ${range} returning *) insert into ${table} select * from moved`.execute(
    trx,
  );
  await sql`alter table result attach partition ${table} for values from (${sql.lit(from)}) to (${sql.lit(until)})`.execute(
    trx,
  );
}

/**
 * Drops the partitions whose results are all older than `before` (epoch milliseconds). Deletes the details of these
 * results first.
 */
export async function dropPartitions(store: Store, before: number): Promise<void> {
  for (const { name, from, until } of await readPartitions(store.db)) {
    if (until > before) return;
    while (await removeDetails(store, from, until));
    await withSchemaLock(store, (trx) => sql`drop table if exists ${sql.table(name)}`.execute(trx));
  }
}

/** Deletes a batch of rows of `result_detail` in a range of time. Resolves with whether more rows may remain. */
async function removeDetails({ db }: Store, from: number, until: number): Promise<boolean> {
  const old = db
    .selectFrom('result_detail')
    .select(['at', 'monitor', 'region'])
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy('at')
    .limit(piece);
  const { numAffectedRows } = await sql`delete from result_detail where (at, monitor, region) in (${old})`.execute(db);
  return Number(numAffectedRows) === piece;
}

/**
 * Runs `work` in a transaction. Does nothing while another node changes the schema, because the list of tables must not
 * change during a migration. Fails if it waits for the lock of a table for more than a second, because statements of
 * other nodes would wait behind this transaction.
 */
async function withSchemaLock(store: Store, work: (trx: Transaction<Tables>) => Promise<unknown>): Promise<void> {
  await store.write(
    async (trx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(schemaLock)}) as free`.execute(trx);
      if (!rows[0]!.free) return;
      await sql`set local lock_timeout = '1s'`.execute(trx);
      await work(trx);
    },
    { durable: false },
  );
}
