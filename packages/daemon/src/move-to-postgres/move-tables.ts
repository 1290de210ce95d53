import type { MoveChangeTable } from '../store/tables.ts';
import { findDifferences } from './differences.ts';
import { howTablesMove, type HowTableMoves } from './how-tables-move.ts';
import { changedRanges, type FirstRows, type HistoryTable, historyTables } from './old-rows.ts';
import type { TableShape } from './rows.ts';
import type { Range, Source } from './source.ts';
import type { Target } from './target.ts';

/**
 * The tables that record which schema migrations ran. Each database has its own migrations, so these tables do not
 * move.
 */
const migratorsOwn = ['uptime_migration', 'uptime_migration_lock'];

/**
 * How far back the last comparison reads rows, counted from the start of the second step (see `migrateToPostgres`).
 * Most results reach their table within an hour, or later if many are waiting. Triggers note changes of older rows: see
 * old-rows.ts.
 */
const lateRowsMs = 4 * 3_600_000;

export interface MovedTable {
  shape: TableShape;
  moves: HowTableMoves;
}

/**
 * Called after each batch of rows, with how many rows of the table were read so far, and how many of them differed.
 */
export type Progress = (table: string, read: number, differing: number) => void;

/**
 * Returns the tables to move. A table comes after the tables that it refers to. Throws if SQLite has a table that
 * PostgreSQL lacks.
 */
export async function tablesToMove(source: Source, target: Target): Promise<MovedTable[]> {
  const shapes = (await target.shapes()).filter(({ name }) => !migratorsOwn.includes(name));
  const known = new Set(shapes.map(({ name }) => name));
  const unknown = source.tables().filter((name) => !known.has(name) && !migratorsOwn.includes(name));
  if (unknown.length > 0) throw new Error(`PostgreSQL has no table for ${unknown.join(', ')}. Nothing was moved.`);
  const present = new Set(source.tables());
  return shapes
    .filter(({ name }) => present.has(name))
    .map((shape) => ({ shape, moves: moveOf(shape.name) }))
    .filter(({ moves }) => moves.how !== 'stays');
}

/**
 * Returns how a table moves. `howTablesMove` lacks the tables of accounts and sessions, because a library defines them.
 * They are small, so they move as `whole`.
 */
const moveOf = (table: string): HowTableMoves =>
  Object.hasOwn(howTablesMove, table) ? howTablesMove[table as keyof typeof howTablesMove] : { how: 'whole' };

/** Copies the long tables without comparing rows. A second call continues after the last copied row. */
export async function copyHistory(source: Source, target: Target, tables: readonly MovedTable[], tell: Progress) {
  for (const { shape } of historyTables(tables)) {
    let read = 0;
    for await (const rows of source.pages(shape, { since: null }, await target.last(shape))) {
      await target.add(shape, rows);
      read += rows.length;
      tell(shape.name, read, 0);
    }
  }
}

/** How many rows were read, and how many of them differed. */
export interface Compared {
  read: number;
  differing: number;
}

/** Which tables to compare. In history tables, only the rows from `firsts` on are compared; null for all rows. */
export interface Part {
  which: 'history' | 'whole';
  firsts: FirstRows | null;
}

/**
 * Makes tables of PostgreSQL equal to the same tables of SQLite. For `whole` tables, call this function within
 * `inOneState` of the source. Otherwise SQLite may store a row, and a second row that refers to it, during the
 * comparison. If the comparison has already read the table of the first row, PostgreSQL may get only the second row.
 */
export function makeEqual(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  { which, firsts, tell }: Part & { tell: Progress },
): Promise<Compared> {
  const parts =
    which === 'whole'
      ? tables.filter(({ moves }) => moves.how === 'whole').map(({ shape }) => ({ shape, ranges: [{ since: null }] }))
      : historyTables(tables).map((table) => ({ shape: table.shape, ranges: [rangeOf(table, firsts)] }));
  return makeRangesEqual(source, target, parts, tell);
}

/** Makes old rows of PostgreSQL equal to the same rows of SQLite. `changes` says which old rows have changed. */
export function makeChangesEqual(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  { changes, tell }: { changes: readonly MoveChangeTable[]; tell: Progress },
): Promise<Compared> {
  const parts = historyTables(tables).map((table) => ({ shape: table.shape, ranges: changedRanges(table, changes) }));
  return makeRangesEqual(source, target, parts, tell);
}

async function makeRangesEqual(
  source: Source,
  target: Target,
  parts: readonly { shape: TableShape; ranges: readonly Range[] }[],
  tell: Progress,
): Promise<Compared> {
  const sum = { read: 0, differing: 0 };
  for (const { shape, ranges } of parts) {
    let [read, differing] = [0, 0];
    for (const range of ranges) {
      const [from, to] = [source.pages(shape, range), target.pages(shape, range)];
      for await (const { write, remove, compared } of findDifferences(shape, from, to)) {
        if (write.length + remove.length > 0) await target.change(shape, { write, remove });
        read += compared;
        differing += write.length + remove.length;
        tell(shape.name, read, differing);
      }
    }
    sum.read += read;
    sum.differing += differing;
  }
  return sum;
}

/** Sets each sequence of PostgreSQL to the highest number in the same column of SQLite. */
export async function moveCounters(source: Source, target: Target, tables: readonly MovedTable[]): Promise<void> {
  const names = new Set(tables.map(({ shape }) => shape.name));
  for (const { table, column } of await target.counters())
    if (names.has(table)) await target.setCounter(table, column, source.highest(table, column));
}

/**
 * Returns a value for each history table: the last comparison reads all rows from this value on. Call this before
 * `watchOldRows`, and pass the present time as `since`, in epoch milliseconds.
 */
export const firstRows = (source: Source, tables: readonly MovedTable[], since: number): FirstRows =>
  new Map(
    historyTables(tables).map(({ shape: { name }, column, unitMs }) => [
      name,
      unitMs === null ? source.highest(name, column) + 1 : Math.floor((since - lateRowsMs) / unitMs),
    ]),
  );

const rangeOf = ({ shape, column }: HistoryTable, firsts: FirstRows | null): Range => ({
  since: firsts && { column, value: firsts.get(shape.name)! },
});
