import { type RawBuilder, sql } from 'kysely';
import { type Row, type TableShape, toJson } from './rows.ts';

/** Returns the names of a table's columns as SQL. */
export const columnsOf = (shape: TableShape) => idsOf(shape.columns.map(({ name }) => name));
const given = (shape: TableShape, rows: readonly Row[]) =>
  sql`json_populate_recordset(null::${sql.id(shape.name)}, ${toJson(shape, rows)}::json)`;

/** Returns the statement that adds rows. `onConflict` says what happens if the key of a row exists already. */
export const insert = (shape: TableShape, rows: readonly Row[], onConflict: RawBuilder<unknown>) => sql`
  insert into ${sql.id(shape.name)} (${columnsOf(shape)})
  select ${columnsOf(shape)} from ${given(shape, rows)}
  on conflict (${idsOf(shape.key)}) do ${onConflict}`;

/** Returns the statement that adds rows, and replaces rows with the same key. */
export function upsert(shape: TableShape, rows: readonly Row[]) {
  const others = shape.columns.filter(({ name }) => !shape.key.includes(name));
  const sets = others.map(({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return insert(shape, rows, sets.length === 0 ? sql`nothing` : sql`update set ${sql.join(sets)}`);
}

/** Returns the statement that removes the rows which have the same keys as `rows`. */
export function remove(shape: TableShape, rows: readonly Row[]) {
  const same = shape.key.map((column) => sql`${sql.id(shape.name, column)} = ${sql.id('given', column)}`);
  return sql`delete from ${sql.id(shape.name)} using ${given(shape, rows)} as given where ${sql.join(same, sql` and `)}`;
}

/** Returns the columns of the key as SQL for comparing and sorting. Text is compared by its bytes, as in SQLite. */
export const keyOf = (shape: TableShape) =>
  sql.join(
    shape.key.map((column) => {
      const { form } = shape.columns.find(({ name }) => name === column)!;
      return form === 'text' ? sql`${sql.id(column)} collate "C"` : sql.id(column);
    }),
  );

const idsOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)));
