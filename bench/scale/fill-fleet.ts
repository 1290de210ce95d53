import { sql } from 'kysely';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { fillMonitors, region } from '../growth/fill-monitors.ts';

/** The number of results of each monitor that are stored before a measurement. */
const resultsBefore = 5;

/**
 * Stores monitors that are due, with some results each, and begins a checkpoint. All stored results are earlier than
 * `now`.
 */
export async function fillFleet(store: Store, { monitors, now }: { monitors: number; now: number }): Promise<void> {
  const { db } = store;
  await fillMonitors(store, { target: 'http://target', monitors, intervalSeconds: 60, firstAt: now - 120_000 });
  await sql`insert into result (monitor, at, region, code, tenths)
    select m, ${now}::bigint - 60000 * k, ${sql.lit(region)}, 1, 1234
    from generate_series(1, ${sql.lit(resultsBefore)}) k, generate_series(1, ${sql.lit(monitors)}) m`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
}

/** Throws an error if the database does not have exactly `count` results since `at`, in epoch milliseconds. */
export async function expectResults({ db }: Pick<Store, 'db'>, at: number, count: number): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from result where at >= ${at}`.execute(db);
  if (rows[0]!.n !== count) throw new Error(`The database has ${rows[0]!.n} results instead of ${count}.`);
}
