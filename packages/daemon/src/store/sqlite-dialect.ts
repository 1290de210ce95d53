import { sql } from 'kysely';
import type { Dialect, RowColumns } from './dialect.ts';
import { databaseCode } from './failures.ts';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  exclusive: true,
  columns: {
    serial: sql`integer primary key autoincrement`,
    counter: sql`integer primary key`,
    integer: sql`integer`,
    bigInteger: sql`integer`,
    text: sql`text`,
  },
  tableEnd: (keyed) => (keyed ? sql`strict, without rowid` : sql`strict`),
  // SQLite has only one level of isolation. Here, the names of levels tell sqlite-driver.ts whether the write is
  // durable and urgent.
  transaction(db, { durable, urgent }) {
    if (!durable) return db.transaction().setIsolationLevel('read uncommitted');
    return urgent ? db.transaction().setIsolationLevel('serializable') : db.transaction();
  },
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
    return rows.length > 0;
  },
  greatest: (left, right) => sql<number>`max(${sql.ref(left)}, ${sql.ref(right)})`,
  // Only one transaction writes at a time. So rows need no locks, and the functions below do nothing.
  forUpdate: sql``,
  skipLocked: () => sql``,
  async lockAbsences() {},
  async lockMigrations() {},
  async lockFirstAccount() {},
  wallClock: null,
  isUniqueViolation: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(databaseCode(error)),
  isForeignKeyViolation: (error) => databaseCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY',

  async shrink(db) {
    await sql`pragma incremental_vacuum(1000)`.execute(db);
  },

  rows: (alias, columns, items) => rowsFromJson(alias, columns, rowsAsJson(columns, items)),
  encodedRows: (alias, columns, { json }) => rowsFromJson(alias, columns, json),
  encodeRows: (columns, items) => ({ json: rowsAsJson(columns, items) }),
  isAmong: (column, encoded) => sql`${sql.ref(column)} in (select value from jsonb_each(${encoded}))`,
  encodeNumbers: (numbers) => JSON.stringify(numbers),
};

/**
 * Encodes rows as JSON arrays in the order of the columns, because SQLite reads array elements faster than named
 * fields. Rows of one column become plain values, which SQLite reads even faster.
 */
function rowsAsJson<R extends object>(columns: RowColumns<R>, items: readonly R[]): string {
  const names = Object.keys(columns) as (keyof R)[];
  const [only, ...more] = names;
  if (only !== undefined && more.length === 0) return JSON.stringify(items.map((item) => item[only]));
  return JSON.stringify(items.map((item) => names.map((name) => item[name])));
}

function rowsFromJson<R extends object, A extends string>(alias: A, columns: RowColumns<R>, json: unknown) {
  const names = Object.keys(columns);
  const fields = names.map((name, at) =>
    names.length === 1 ? sql`value as ${sql.id(name)}` : sql`value ->> ${sql.lit(at)} as ${sql.id(name)}`,
  );
  // With jsonb, SQLite parses each row only once, and not again for each field. This saves a third of the cost of an
  // insert.
  return sql<R>`(select ${sql.join(fields)} from jsonb_each(${json}))`.as(alias);
}
