import { sql } from 'kysely';
import { dayMs } from '../core/uptime.ts';
import { firstPartition, makePartitions } from '../store/result-partitions.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabaseKind } from './databases.ts';
import { undoMigrations } from './undo-migrations.ts';

const postgres = databases.find(({ name }) => name === 'postgres')!;

/**
 * A PostgreSQL in which the table of results was partitioned this many days ago. So each day since then has a
 * partition.
 */
export const partitionedPostgres = (days: number): TestDatabaseKind => ({
  name: 'postgres',
  async open() {
    const database = await postgres.open();
    const { store } = database;
    const begun = Math.floor(Date.now() / dayMs - days) * dayMs;
    const first = sql.table(firstPartition);
    await sql`alter table result detach partition ${first}`.execute(store.db);
    await sql`alter table result attach partition ${first} for values from (minvalue) to (${sql.lit(begun)})`.execute(
      store.db,
    );
    for (let day = 0; day <= days; day++) await makePartitions(store, begun + day * dayMs, 30);
    return database;
  },
});

/** Puts the table of results back as it was before the upgrade to partitions. */
export async function removePartitions({ db }: Pick<Store, 'db'>): Promise<void> {
  await sql`drop table result`.execute(db);
  await sql`create table result (monitor bigint not null, at bigint not null, region integer not null,
    code integer not null, tenths bigint, constraint result_key primary key (monitor, at, region))`.execute(db);
  await undoMigrations(db, '0047-plain-columns');
  await sql`delete from uptime_migration where name = '0046-result-partitions'`.execute(db);
}

/** Returns the partitions that hold results, in order of their names. */
export async function partitionsOfResults({ db }: Pick<Store, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct tableoid::regclass::text as name from result order by name`.execute(db);
  return rows.map(({ name }) => name);
}
