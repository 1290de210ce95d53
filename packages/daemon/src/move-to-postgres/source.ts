import Database from 'better-sqlite3';
import { sqliteFile } from '../store/sqlite.ts';
import { commonRow, type Row, type TableShape } from './rows.ts';

/** Number of rows that are read at once. */
export const pageRows = 1000;

/** Which rows of a table to read: all rows (null), or only the rows whose time is `value` or later. */
export interface Range {
  since: { column: string; value: number } | null;
}

/** The SQLite database of a data folder. It can be read while a daemon writes to it. */
export interface Source {
  tables(): string[];
  /**
   * Yields the rows of a range in the order of their key, page by page. Begins with the row after `after`, or with the
   * first row.
   */
  pages(shape: TableShape, range: Range, after?: Row | null): AsyncGenerator<Row[]>;
  /** Returns the highest number that the column has ever had; 0 for a table that never had a row. */
  highest(table: string, column: string): number;
  /**
   * Runs `read` on one state of the database: what is written meanwhile is not visible to `read`. Keep `read` short,
   * because SQLite's log grows until `read` ends.
   */
  inOneState<T>(read: () => Promise<T>): Promise<T>;
  close(): void;
}

export function openSource(dataDir: string): Source {
  const db = new Database(sqliteFile(dataDir), { readonly: true, timeout: 10_000 });
  const rowsOf = (shape: TableShape, sql: string, params: readonly unknown[]) =>
    (db.prepare(sql).all(...params) as Record<string, unknown>[]).map((row) => commonRow(shape, row));

  return {
    tables: () =>
      db
        .prepare<[], string>(
          "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
        )
        .pluck()
        .all(),
    async *pages(shape, { since }, after = null) {
      const { key } = shape;
      // If the key of the table begins with the monitor, the rows since a time are read monitor by monitor, so that
      // SQLite can use the key.
      if (since && key[0] === 'monitor') {
        const sql = `${select(shape)} where "monitor" = ? and ${name(since.column)} >= ? order by ${names(key)}`;
        for (const monitor of db.prepare<[], number>('select seq from monitor order by seq').pluck().all()) {
          const rows = rowsOf(shape, sql, [monitor, since.value]);
          if (rows.length > 0) yield rows;
        }
        return;
      }
      const from = since ? `${name(since.column)} >= ?` : 'true';
      const later = `(${names(key)}) > (${key.map(() => '?').join(', ')})`;
      for (let last = after; ;) {
        const sql = `${select(shape)} where ${from}${last ? ` and ${later}` : ''} order by ${names(key)} limit ${pageRows}`;
        const values = last === null ? [] : key.map((column) => last![column]);
        const rows = rowsOf(shape, sql, [...(since ? [since.value] : []), ...values]);
        if (rows.length > 0) yield rows;
        if (rows.length < pageRows) return;
        last = rows.at(-1)!;
      }
    },
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

const name = (column: string) => `"${column}"`;
const names = (columns: readonly string[]) => columns.map(name).join(', ');
const select = ({ name: table, columns }: TableShape) =>
  `select ${names(columns.map((column) => column.name))} from ${name(table)}`;
