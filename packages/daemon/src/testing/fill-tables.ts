import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { readPartitions } from '../store/result-partitions.ts';
import type { Tables } from '../store/tables.ts';

/**
 * Fills each of these tables on PostgreSQL, and each partition of `result`, with `rows` copies of one row of the table.
 * An empty table gets copies of an invented row. The copies differ in all indexed columns, except that they share a few
 * regions. Use them only to see query plans, because they refer to rows that do not exist.
 */
export async function fillTables(db: Kysely<Tables>, tables: ReadonlySet<string>, rows: number): Promise<void> {
  const { rows: columns } = await sql<Column>`
    select table_.relname as "table", column_.attname as name, type_.typname as type, attnotnull as required,
      exists (select from pg_index where indrelid = table_.oid and (attnum = any(indkey)
        or pg_get_expr(indexprs, indrelid) ~ ('\\m' || attname || '\\M'))) as indexed
    from pg_class table_
    join pg_attribute column_ on attrelid = table_.oid and attnum > 0 and not attisdropped
    join pg_type type_ on type_.oid = atttypid
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    order by relname, attnum`.execute(db);
  const columnsOf = Map.groupBy(
    columns.filter(({ table }) => tables.has(table)),
    ({ table }) => table,
  );
  await db.transaction().execute(async (trx) => {
    // Turns off the checks of foreign keys.
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const [table, its] of columnsOf) {
      const names = sql.join(its.map(({ name }) => sql.ref(name)));
      for (const since of await timesOf(trx, table)) {
        const values = sql.join(
          its.map((column) =>
            since !== null && column.name === 'at' ? sql`${sql.lit(since)}::bigint + n` : copied(column),
          ),
        );
        await sql`insert into ${sql.table(table)} (${names}) overriding system value
          select ${values} from generate_series(1, ${rows}) n
          left join (select * from ${sql.table(table)} limit 1) base on true`.execute(trx);
      }
      await sql`analyze ${sql.table(table)}`.execute(trx);
    }
  });
}

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  indexed: boolean;
}

/** Returns a time in each partition of a table, or only null for a table without partitions. */
async function timesOf(db: QueryExecutorProvider, table: string): Promise<(number | null)[]> {
  if (table !== 'result') return [null];
  const partitions = await readPartitions(db);
  // Times in the first partition, in the default partition, and in each partition with a start and an end.
  return [0, farAhead, ...partitions.map(({ from }) => from)];
}

const time = /(_?at|until|since)$/;
/** A time so far ahead that no statement about old rows finds a row with it. */
const farAhead = 4_000_000_000_000;

/** Returns the SQL for the value of a column in the nth copy. */
function copied({ name, type, required, indexed }: Column) {
  // Invented times are far ahead. All invented values except times are 1, so that an invented reference is in the range
  // of existing keys.
  const madeUp = type === 'int8' && time.test(name) ? String(farAhead) : '1';
  const value = required ? sql`coalesce(${sql.ref(`base.${name}`)}, ${sql.lit(madeUp)})` : sql.ref(`base.${name}`);
  if (!indexed) return value;
  // An installation has few regions, so each of them has many rows of a table.
  if (name === 'region') return sql`${value} + n % 3`;
  if (type.startsWith('int')) return sql`${value} + 1000000 + n`;
  return /^(text|varchar)$/.test(type) ? sql`${value} || n` : value;
}
