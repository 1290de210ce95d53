import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { resultCode } from '../../packages/daemon/src/store/result-code.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import type { Tables } from '../../packages/daemon/src/store/tables.ts';
import { measure } from './measure-fleet.ts';

const [monitors, resultsOfMonitor, resultsOfRow] = [200, 1440, 1000];
/** One statement converts the results of this many monitors into arrays. */
const monitorsOfPiece = 20;

/** The costs of one day of results as rows, and as arrays of up to 1,000 results of a monitor. */
export interface ColumnCosts {
  /** Bytes of a result with its index. */
  rowBytes: number;
  columnBytes: number;
  /** The database's processor time in µs to convert one result, and the bytes of WAL that the conversion writes. */
  convertMicros: number;
  convertWalBytes: number;
  /** Processor time of the database to read a day of a monitor, in microseconds. */
  readRowsMicros: number;
  readColumnsMicros: number;
}

/** Simulates the compression of TimescaleDB. PostgreSQL compresses the arrays with its own method. */
export async function measureColumns(store: Store, serverPid: number): Promise<ColumnCosts> {
  const { db } = store;
  await fillDay(store);
  await sql`create table result_columns (monitor bigint, first_at bigint, last_at bigint,
    steps integer[], regions integer[], codes integer[], tenths integer[], primary key (monitor, first_at))`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  const converted = await measure(serverPid, db, async () => {
    for (let from = 1; from <= monitors; from += monitorsOfPiece) await convert(db, from, from + monitorsOfPiece);
  });
  await sql`vacuum analyze`.execute(db);
  const rows = await readDays(db, serverPid, rowsOf);
  const columns = await readDays(db, serverPid, columnsOf);
  if (!isDeepStrictEqual(rows.read, columns.read)) throw new Error('The columns have other results than the rows.');
  const count = monitors * resultsOfMonitor;
  if (rows.read.length !== count) throw new Error(`The rows have ${rows.read.length} results instead of ${count}.`);
  return {
    rowBytes: (await bytesOf(db, 'result_day')) / count,
    columnBytes: (await bytesOf(db, 'result_columns')) / count,
    convertMicros: converted.micros / count,
    convertWalBytes: converted.walBytes / count,
    readRowsMicros: rows.micros,
    readColumnsMicros: columns.micros,
  };
}

/**
 * Stores a day of results in the order of their times. Each monitor is checked every 60 s, on average 10 ms late. The
 * response times of a monitor vary by about a fifth around its own level. One check of a thousand gets no response in
 * time.
 */
async function fillDay(store: Store): Promise<void> {
  const timedOut = sql.lit(resultCode('timeout', null));
  await store.write(async (trx) => {
    await sql`create table result_day (like result including all)`.execute(trx);
    await sql`select setseed(0.5)`.execute(trx);
    await sql`insert into result_day (monitor, at, region, code, tenths)
      select monitor, at, 1, case when failed then ${timedOut} else 1 end, case when not failed then tenths end
      from (
        select m as monitor, k * 60000::bigint + m * 7919 % 60000 + (-10 * ln(1 - random()))::bigint as at,
          random() < 0.001 as failed, ((200 + m * 7919 % 3800) * exp(0.2 * random_normal()))::bigint as tenths
        from generate_series(1, ${sql.lit(resultsOfMonitor)}) k, generate_series(1, ${sql.lit(monitors)}) m
      ) made order by at`.execute(trx);
  });
}

const convert = (db: Kysely<Tables>, from: number, until: number) =>
  sql`insert into result_columns
    select monitor, min(at), max(at), array_agg(step order by at, region), array_agg(region order by at, region),
      array_agg(code order by at, region), array_agg(tenths::integer order by at, region)
    from (
      select *, coalesce(at - lag(at) over (partition by monitor, piece order by at, region), 0)::integer as step
      from (
        select *, (row_number() over (partition by monitor order by at, region) - 1) / ${sql.lit(resultsOfRow)} as piece
        from result_day where monitor >= ${sql.lit(from)} and monitor < ${sql.lit(until)}
      ) numbered
    ) stepped group by monitor, piece`.execute(db);

interface Result {
  at: number;
  region: number;
  code: number;
  tenths: number | null;
}

const rowsOf = (monitor: number) => sql<Result>`
  select at, region, code, tenths from result_day where monitor = ${monitor} order by at, region`;

const columnsOf = (monitor: number) => sql<Result>`
  select first_at + sum(step) over (partition by first_at order by n) as at, region, code, tenth as tenths
  from result_columns, unnest(steps, regions, codes, tenths) with ordinality as result (step, region, code, tenth, n)
  where monitor = ${monitor} order by first_at, n`;

/** Reads the day of each monitor. */
async function readDays(db: Kysely<Tables>, serverPid: number, query: typeof rowsOf) {
  const read: Result[] = [];
  const { micros } = await measure(serverPid, db, async () => {
    for (let monitor = 1; monitor <= monitors; monitor++) {
      const { rows } = await query(monitor).execute(db);
      for (const row of rows) read.push(row);
    }
  });
  return { read, micros: micros / monitors };
}

async function bytesOf(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size(${table}) as bytes`.execute(db);
  return rows[0]!.bytes;
}
