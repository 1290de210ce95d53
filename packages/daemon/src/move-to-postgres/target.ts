import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { MoveError, otherRunText } from './move-error.ts';
import { readShapes } from './read-shapes.ts';
import { commonRow, type Row, type TableShape } from './rows.ts';
import { pageRows, type Range } from './source.ts';
import { columnsOf, insert, keyOf, remove, upsert } from './write-statements.ts';

/** The PostgreSQL database that the data moves to. */
export interface Target {
  /** Resolves with the shapes of all tables. A table comes after the tables that it refers to. */
  shapes(): Promise<TableShape[]>;
  /** Yields the rows of a range in the order of their key, page by page. */
  pages(shape: TableShape, range: Range): AsyncGenerator<Row[]>;
  /** Resolves with the row that has the highest key; null for an empty table. */
  last(shape: TableShape): Promise<Row | null>;
  /** Adds rows, and skips rows whose key exists already. */
  add(shape: TableShape, rows: readonly Row[]): Promise<void>;
  /** Removes the rows of `remove`, and adds or replaces the rows of `write`, in one transaction. */
  change(shape: TableShape, changes: { write: readonly Row[]; remove: readonly Row[] }): Promise<void>;
  /** Resolves with the columns whose numbers come from a sequence. */
  counters(): Promise<{ table: string; column: string }[]>;
  /** Sets the sequence of a column, so that the next row gets a number above `highest`. */
  setCounter(table: string, column: string, highest: number): Promise<void>;
}

/**
 * Opens the target of the move with this id. Each write throws `MoveError` after another move of the same data has
 * begun, because a suspended command could otherwise overwrite rows of a PostgreSQL that is already in use.
 */
export function createTarget(store: Store, move: string): Target {
  const { db, dialect } = store;
  const change = (work: (trx: Transaction<Tables>) => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      const held = sql`select 1 from database_move where move = ${move} and state = 'filling' for share`;
      if ((await held.execute(trx)).rows.length === 0) throw new MoveError(otherRunText);
      await work(trx);
    });
  return {
    shapes: () => readShapes(store),
    pages: createPages(db),
    async last(shape) {
      const descending = shape.key.map((column) => sql`${sql.id(column)} desc`);
      const { rows } = await sql<Record<string, unknown>>`
        select ${columnsOf(shape)} from ${sql.id(shape.name)} order by ${sql.join(descending)} limit 1`.execute(db);
      return rows[0] ? commonRow(shape, rows[0]) : null;
    },
    async add(shape, rows) {
      await change((trx) => insert(shape, rows, sql`nothing`).execute(trx));
    },
    async change(shape, { write, remove: removed }) {
      try {
        await change(async (trx) => {
          if (removed.length > 0) await remove(shape, removed).execute(trx);
          if (write.length > 0) await upsert(shape, write).execute(trx);
        });
      } catch (error) {
        if (!dialect.isUniqueViolation(error)) throw error;
        // The upsert fails if two rows have exchanged a unique value. So all old versions of the rows are removed
        // before the new versions are added.
        await change(async (trx) => {
          await remove(shape, [...removed, ...write]).execute(trx);
          await upsert(shape, write).execute(trx);
        });
      }
    },
    async counters() {
      const { rows } = await sql<{ table: string; column: string }>`
        select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
      return rows;
    },
    async setCounter(table, column, highest) {
      if (highest < 1) return;
      await change((trx) =>
        sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}), ${highest}::bigint)`.execute(trx),
      );
    },
  };
}

/** Returns the function `pages` of the target. */
const createPages = (db: Store['db']): Target['pages'] =>
  async function* (shape, { since, until = null, monitor = null }) {
    const from = since ? sql`${sql.id(since.column)} >= ${since.value}` : sql`true`;
    const to = since && until !== null ? sql`and ${sql.id(since.column)} < ${until}` : sql``;
    const of = monitor !== null ? sql`and monitor = ${monitor}` : sql``;
    for (let last: Row | null = null; ;) {
      const values: Row = last ?? {};
      const later: RawBuilder<unknown> = last
        ? sql`and (${keyOf(shape)}) > (${sql.join(shape.key.map((column) => values[column]))})`
        : sql``;
      const { rows } = await sql<Record<string, unknown>>`
        select ${columnsOf(shape)} from ${sql.id(shape.name)} where ${from} ${to} ${of} ${later}
        order by ${keyOf(shape)} limit ${sql.lit(pageRows)}`.execute(db);
      const page = rows.map((row) => commonRow(shape, row));
      if (page.length > 0) yield page;
      if (page.length < pageRows) return;
      last = page.at(-1)!;
    }
  };
