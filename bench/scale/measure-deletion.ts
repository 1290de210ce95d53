import { sql } from 'kysely';
import { forgetPast } from '../../packages/daemon/src/recording/forget-past.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { measure } from './measure-fleet.ts';

const monitors = 1000;
const resultsOfMonitor = 300;
const dayMs = 86_400_000;

/** The cost of deleting one result, if the results of a whole day are deleted. */
export interface Deletion {
  rows: number;
  /** Deletion as in the daemon: processor time of the database in microseconds, and bytes of its write-ahead log. */
  deleteMicros: number;
  deleteWalBytes: number;
  /** The same figures if the rows are in a partition, and the partition is dropped. */
  dropMicros: number;
  dropWalBytes: number;
}

export async function measureDeletion(store: Store, serverPid: number): Promise<Deletion> {
  const { db } = store;
  const rows = monitors * resultsOfMonitor;
  const day = sql`select m as monitor, k * 1000::bigint as at, 1 as region, 1 as code, 1234::bigint as tenths
    from generate_series(1, ${sql.lit(resultsOfMonitor)}) k, generate_series(1, ${sql.lit(monitors)}) m`;
  await sql`insert into result (monitor, at, region, code, tenths) ${day}`.execute(db);
  await sql`create table by_day (like result including all) partition by range (at)`.execute(db);
  await sql`create table one_day partition of by_day for values from (0) to (${sql.lit(dayMs)})`.execute(db);
  await sql`insert into by_day ${day}`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  const all = { raw: dayMs, timings: 0, histogram: 0, hours: 0, checkHours: 0, days: 0 };
  const deleted = await measure(serverPid, db, async () => {
    for (let monitor = 1; monitor <= monitors; monitor++)
      while (await store.write((trx) => forgetPast(trx, monitor, all, store.dialect)));
    // PostgreSQL would do this work later by autovacuum. It is part of the cost of the deletion.
    await sql`vacuum result`.execute(db);
  });
  const left = await db.selectFrom('result').select('monitor').limit(1).execute();
  if (left.length > 0) throw new Error('Some old results were not deleted.');
  const dropped = await measure(serverPid, db, async () => {
    await sql`drop table one_day`.execute(db);
  });
  return {
    rows,
    deleteMicros: deleted.micros / rows,
    deleteWalBytes: deleted.walBytes / rows,
    dropMicros: dropped.micros / rows,
    dropWalBytes: dropped.walBytes / rows,
  };
}
