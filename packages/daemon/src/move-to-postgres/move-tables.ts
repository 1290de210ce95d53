import { findDifferences } from './differences.ts';
import { howTablesMove, type HowTableMoves } from './how-tables-move.ts';
import type { TableShape } from './rows.ts';
import type { Range, Source } from './source.ts';
import type { Target } from './target.ts';

/** The tables that record which schema migrations ran. Each database fills its own, so they do not move. */
const migratorsOwn = ['uptime_migration', 'uptime_migration_lock'];

/**
 * A row may be stored this long after its time, because results move to their table an hour late, or later after a
 * backlog.
 */
const lateRowsMs = 4 * 3_600_000;

export interface MovedTable {
  shape: TableShape;
  moves: HowTableMoves;
}

/** Called after each piece of a table: how many of its rows were read so far, and how many differed. */
export type Progress = (table: string, read: number, differing: number) => void;

/** The tables to move, each after those that it refers to. Throws if the two databases have different tables. */
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

/** A library defines the tables of accounts and sessions, so `howTablesMove` lacks them. They are small. */
const moveOf = (table: string): HowTableMoves =>
  Object.hasOwn(howTablesMove, table) ? howTablesMove[table as keyof typeof howTablesMove] : { how: 'whole' };

/**
 * Copies the long tables for the first time, without comparing. A second call continues after the last copied row.
 */
export async function copyHistory(source: Source, target: Target, tables: readonly MovedTable[], tell: Progress) {
  for (const { shape } of tables.filter(({ moves }) => moves.how === 'history')) {
    let read = 0;
    for await (const rows of source.pages(shape, { since: null }, await target.last(shape))) {
      await target.add(shape, rows);
      read += rows.length;
      tell(shape.name, read, 0);
    }
  }
}

/**
 * Which tables to compare. In tables with a history, `since` limits the comparison to rows with this time or later, in
 * epoch milliseconds.
 */
export interface Part {
  which: 'history' | 'whole';
  since: number | null;
}

/**
 * Makes tables of PostgreSQL equal to SQLite's, row by row. Returns how many rows were read, and how many differed.
 * Whole tables must be read in one state of the source (`inOneState`), because a row may refer to a row that was just
 * added.
 */
export async function makeEqual(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  { which, since, tell }: Part & { tell: Progress },
): Promise<{ read: number; differing: number }> {
  const sum = { read: 0, differing: 0 };
  for (const { shape, moves } of tables.filter(({ moves: { how } }) => how === which)) {
    const range = rangeOf(moves, since);
    const [from, to] = [source.pages(shape, range), target.pages(shape, range)];
    let [read, differing] = [0, 0];
    for await (const { write, remove, compared } of findDifferences(shape, from, to)) {
      if (write.length + remove.length > 0) await target.change(shape, { write, remove });
      read += compared;
      differing += write.length + remove.length;
      tell(shape.name, read, differing);
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

function rangeOf(moves: HowTableMoves, since: number | null): Range {
  if (since === null || moves.how !== 'history') return { since: null };
  return { since: { column: moves.time, value: Math.floor((since - lateRowsMs) / moves.unitMs) } };
}
