import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { TableShape, ValueForm } from './rows.ts';

const forms: Record<string, ValueForm> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  numeric: 'number',
  'double precision': 'number',
  real: 'number',
  text: 'text',
  'character varying': 'text',
  boolean: 'boolean',
  date: 'time',
  'timestamp with time zone': 'time',
  'timestamp without time zone': 'time',
};

/** Reads the shapes of all tables. A table comes after the tables that it refers to. */
export async function readShapes({ db }: Pick<Store, 'db'>): Promise<TableShape[]> {
  const { rows: columns } = await sql<{ table: string; name: string; type: string }>`
    select table_name as "table", column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() order by table_name, ordinal_position`.execute(db);
  const { rows: keys } = await sql<{ table: string; key: string[] }>`
    select c.relname as "table", array_agg(a.attname::text order by k.place) as key
    from pg_index i join pg_class c on c.oid = i.indrelid
    cross join unnest(i.indkey) with ordinality as k(number, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
    where i.indisprimary and not c.relispartition and c.relnamespace = current_schema()::regnamespace group by c.relname`.execute(
    db,
  );
  const { rows: references } = await sql<{ from: string; to: string }>`
    select child.relname as "from", parent.relname as "to"
    from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and not child.relispartition and child.relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  const shapes = keys.map(({ table, key }) => ({
    name: table,
    key,
    columns: columns
      .filter((column) => column.table === table)
      .map(({ name, type }) => ({ name, form: formOf(table, name, type) })),
  }));
  return inOrder(shapes, references);
}

function formOf(table: string, column: string, type: string): ValueForm {
  const form = forms[type];
  if (form) return form;
  throw new Error(`The column ${column} of ${table} has the type ${type}, which cannot be moved.`);
}

/** Sorts tables, so that each table comes after the tables that it refers to. */
function inOrder(shapes: readonly TableShape[], references: readonly { from: string; to: string }[]): TableShape[] {
  const ordered: TableShape[] = [];
  let left = shapes.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  while (left.length > 0) {
    const waits = (shape: TableShape) =>
      references.some(({ from, to }) => from === shape.name && to !== from && left.some(({ name }) => name === to));
    const next = left.filter((shape) => !waits(shape));
    if (next.length === 0)
      throw new Error(`These tables refer to each other: ${left.map(({ name }) => name).join(', ')}.`);
    ordered.push(...next);
    left = left.filter((shape) => !next.includes(shape));
  }
  return ordered;
}
