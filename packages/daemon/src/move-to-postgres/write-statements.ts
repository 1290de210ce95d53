import { type RawBuilder, sql } from 'kysely';
import { type Row, type TableShape, toJson } from './rows.ts';

/** The columns of a table, for a statement. */
export const columnsOf = (shape: TableShape) => idsOf(shape.columns.map(({ name }) => name));
const given = (shape: TableShape, rows: readonly Row[]) =>
  sql`json_populate_recordset(null::${sql.id(shape.name)}, ${toJson(shape, rows)}::json)`;

/** Adds rows. */
export const insert = (shape: TableShape, rows: readonly Row[], onConflict: RawBuilder<unknown>) => sql`
  insert into ${sql.id(shape.name)} (${columnsOf(shape)})
  select ${columnsOf(shape)} from ${given(shape, rows)}
  on conflict (${idsOf(shape.key)}) do ${onConflict}`;

/** Adds rows, or replaces those with the same key. */
export function upsert(shape: TableShape, rows: readonly Row[]) {
  const others = shape.columns.filter(({ name }) => !shape.key.includes(name));
  const sets = others.map(({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return insert(shape, rows, sets.length === 0 ? sql`nothing` : sql`update set ${sql.join(sets)}`);
}

/** Removes the rows with the same keys. */
export function remove(shape: TableShape, rows: readonly Row[]) {
  const same = shape.key.map((column) => sql`${sql.id(shape.name, column)} = ${sql.id('given', column)}`);
  return sql`delete from ${sql.id(shape.name)} using ${given(shape, rows)} as given where ${sql.join(same, sql` and `)}`;
}

/** The columns of the key, for comparing and sorting. Text is compared by its bytes, as SQLite does. */
export const keyOf = (shape: TableShape) =>
  sql.join(
    shape.key.map((column) => {
      const { form } = shape.columns.find(({ name }) => name === column)!;
      return form === 'text' ? sql`${sql.id(column)} collate "C"` : sql.id(column);
    }),
  );

const idsOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)));
