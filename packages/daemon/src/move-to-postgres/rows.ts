/**
 * A value in the common form, in which the rows of both databases are compared: times as ISO texts, booleans as 0 and
 * 1.
 */
export type Value = string | number | null;

export type Row = Record<string, Value>;

/** The kind of values in a column. The two databases store `boolean` and `time` differently. */
export type ValueForm = 'number' | 'text' | 'boolean' | 'time';

export interface TableShape {
  name: string;
  /** The columns of the primary key. */
  key: readonly string[];
  columns: readonly { name: string; form: ValueForm }[];
}

/**
 * Returns a row of either database with its values in the common form. Throws for a value that does not fit its column.
 */
export function commonRow(shape: TableShape, row: Record<string, unknown>): Row {
  const common: Row = {};
  for (const { name, form } of shape.columns) common[name] = commonValue(row[name] ?? null, form);
  return common;
}

function commonValue(value: unknown, form: ValueForm): Value {
  if (value === null) return null;
  if (form === 'time' && (typeof value === 'string' || typeof value === 'number' || value instanceof Date))
    return new Date(value).toISOString();
  if (form === 'boolean' && (typeof value === 'boolean' || typeof value === 'number')) return value ? 1 : 0;
  if (form === 'number' && typeof value === 'number') return value;
  // Replaces NUL characters, because PostgreSQL cannot store them in a text.
  if (form === 'text' && typeof value === 'string')
    return value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value;
  throw new Error(`A column of ${form} holds ${typeof value}.`);
}

/** Returns rows as JSON for PostgreSQL's `json_populate_recordset`. */
export function toJson(shape: TableShape, rows: readonly Row[]): string {
  const booleans = shape.columns.filter(({ form }) => form === 'boolean').map(({ name }) => name);
  if (booleans.length === 0) return JSON.stringify(rows);
  return JSON.stringify(
    rows.map((row) => ({
      ...row,
      ...Object.fromEntries(booleans.map((name) => [name, row[name] === null ? null : row[name] === 1])),
    })),
  );
}

/**
 * Compares two rows by their primary key, in the order that both databases use: numbers by value, text by its bytes.
 * Negative if `one` comes first.
 */
export function compareKeys({ key }: TableShape, one: Row, other: Row): number {
  for (const name of key) {
    const [left, right] = [one[name]!, other[name]!];
    if (left === right) continue;
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
  }
  return 0;
}

export const isSameRow = ({ columns }: TableShape, one: Row, other: Row): boolean =>
  columns.every(({ name }) => one[name] === other[name]);
