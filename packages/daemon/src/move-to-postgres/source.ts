import Database from 'better-sqlite3';
import { sqliteFile } from '../store/sqlite.ts';
import type { MoveChangeTable } from '../store/tables.ts';
import { commonRow, type Row, type TableShape } from './rows.ts';

/** Number of rows that are read at once. */
export const pageRows = 1000;

/** Which rows of a table to read. */
export interface Range {
  /** Only the rows whose time or number is at least `value`; null for all rows. */
  since: { column: string; value: number } | null;
  /** Only the rows whose time or number is below this value; null for no limit. Needs `since`. */
  until?: number | null;
  /** Only the rows of this monitor; null for all monitors. */
  monitor?: number | null;
}

/** The SQLite database of a data folder. It can be read while a daemon writes to it. */
export interface Source {
  tables(): string[];
  /**
   * Yields the rows of a range in the order of their key, page by page. Begins with the row after `after`, or with the
   * first row.
   */
  pages(shape: TableShape, range: Range, after?: Row | null): AsyncGenerator<Row[]>;
  /** Returns the noted changes of old rows: see old-rows.ts. */
  changes(): MoveChangeTable[];
  /** Returns the number of triggers whose names begin with `prefix`. */
  triggers(prefix: string): number;
  /** Returns the highest number that the column has ever had; 0 for a table that never had a row. */
  highest(table: string, column: string): number;
  /**
   * Runs `read` on one snapshot of the database: `read` does not see later writes. Keep `read` short, because SQLite's
   * write-ahead log grows until `read` ends.
   */
  inOneState<T>(read: () => Promise<T>): Promise<T>;
  close(): void;
}

export function openSource(dataDir: string): Source {
  const db = new Database(sqliteFile(dataDir), { readonly: true, timeout: 10_000 });
  return {
    tables: () =>
      db
        .prepare<[], string>(
          "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
        )
        .pluck()
        .all(),
    pages: createPages(db),
    changes: () => db.prepare<[], MoveChangeTable>('select * from move_change').all(),
    triggers: (prefix) =>
      db
        .prepare<[string, string], number>(
          "select count(*) from sqlite_master where type = 'trigger' and substr(name, 1, length(?)) = ?",
        )
        .pluck()
        .get(prefix, prefix)!,
    highest(table, column) {
      const present =
        db
          .prepare<[], number | null>(`select max(${name(column)}) from ${name(table)}`)
          .pluck()
          .get() ?? 0;
      const ever =
        db.prepare<[string], number>('select seq from sqlite_sequence where name = ?').pluck().get(table) ?? 0;
      return Math.max(present, ever);
    },
    async inOneState(read) {
      db.exec('begin');
      try {
        return await read();
      } finally {
        db.exec('commit');
      }
    },
    close: () => void db.close(),
  };
}

/** Returns the function `pages` of the source. */
function createPages(db: Database.Database): Source['pages'] {
  const rowsOf = (shape: TableShape, sql: string, params: readonly unknown[]) =>
    (db.prepare(sql).all(...params) as Record<string, unknown>[]).map((row) => commonRow(shape, row));

  return async function* (shape, range, after = null) {
    const { key } = shape;
    const [conditions, given] = conditionsOf(range);
    // If the key of the table begins with the monitor, a range with `since` is read monitor by monitor, so that SQLite
    // can use the key.
    if (range.since && key[0] === 'monitor') {
      const sql = `${select(shape)} where "monitor" = ? and ${conditions} order by ${names(key)}`;
      const all = () => db.prepare<[], number>('select seq from monitor order by seq').pluck().all();
      for (const monitor of range.monitor == null ? all() : [range.monitor]) {
        // Also yields pages without rows, so that the caller gives signs of life even if many monitors have no rows.
        yield rowsOf(shape, sql, [monitor, ...given]);
      }
      return;
    }
    const later = `(${names(key)}) > (${key.map(() => '?').join(', ')})`;
    for (let last = after; ;) {
      const sql = `${select(shape)} where ${conditions}${last ? ` and ${later}` : ''} order by ${names(key)} limit ${pageRows}`;
      const values = last === null ? [] : key.map((column) => last![column]);
      const rows = rowsOf(shape, sql, [...given, ...values]);
      if (rows.length > 0) yield rows;
      if (rows.length < pageRows) return;
      last = rows.at(-1)!;
    }
  };
}

/** Returns the SQL that selects the rows of a range, and its parameters. */
function conditionsOf({ since, until = null, monitor = null }: Range): [sql: string, given: number[]] {
  const conditions: [sql: string, given: number][] = [];
  if (since) conditions.push([`${name(since.column)} >= ?`, since.value]);
  if (since && until !== null) conditions.push([`${name(since.column)} < ?`, until]);
  if (monitor !== null) conditions.push(['"monitor" = ?', monitor]);
  if (conditions.length === 0) return ['true', []];
  return [conditions.map(([sql]) => sql).join(' and '), conditions.map(([, given]) => given)];
}

const name = (column: string) => `"${column}"`;
const names = (columns: readonly string[]) => columns.map(name).join(', ');
const select = ({ name: table, columns }: TableShape) =>
  `select ${names(columns.map((column) => column.name))} from ${name(table)}`;
