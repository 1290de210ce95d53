import { type Kysely, sql, type Transaction } from 'kysely';
import { endWatching, giveUpMove, readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';
import type { MoveChangeTable, Tables } from '../store/tables.ts';
import type { MovedTable } from './move-tables.ts';
import type { Range, Source } from './source.ts';
import type { TableShape } from './rows.ts';

const hourMs = 3_600_000;
/** The names of all triggers that this file creates begin with this text. */
const prefix = 'move_change_';
const operations = ['insert', 'update', 'delete'] as const;

/** A table of which the last comparison reads only the latest rows, and the old rows that have changed. */
export interface HistoryTable {
  shape: TableShape;
  /** The column with the time, or with the growing number of a row. */
  column: string;
  /** The unit of the time, in milliseconds; null for a growing number. */
  unitMs: number | null;
}

/** For each history table, a value of its column. The last comparison reads all rows from this value on. */
export type FirstRows = ReadonlyMap<string, number>;

export const historyTables = (tables: readonly MovedTable[]): HistoryTable[] =>
  tables.flatMap(({ shape, moves }): HistoryTable[] => {
    if (moves.how === 'history') return [{ shape, column: moves.time, unitMs: moves.unitMs }];
    return moves.how === 'numbered' ? [{ shape, column: 'id', unitMs: null }] : [];
  });

/** In a `numbered` table, a period has this many numbers. Changed rows are noted and compared by period. */
const numbersInPeriod = 10_000;

/** Returns how many units of the column make a period. */
const unitsOf = ({ unitMs }: HistoryTable) => (unitMs === null ? numbersInPeriod : Math.max(1, hourMs / unitMs));

/**
 * Creates triggers on the history tables. Any process may add, change or remove a row whose time or number is below the
 * table's value in `firsts`. A trigger then notes the row's period in `move_change`. Late results of probes, imports
 * and retention change such rows. The triggers belong to the move in `database_move`. So a transaction that ends or
 * replaces that move also removes or replaces the triggers.
 */
export async function watchOldRows(
  trx: Transaction<Tables>,
  tables: readonly HistoryTable[],
  firsts: FirstRows,
): Promise<void> {
  await forgetOldRows(trx);
  for (const table of tables)
    for (const operation of operations)
      await sql.raw(trigger(table, operation, firsts.get(table.shape.name)!)).execute(trx);
}

/** Removes the triggers of `watchOldRows`, and the changes that they noted. */
export async function forgetOldRows(trx: Transaction<Tables>): Promise<void> {
  for (const name of await triggersOf(trx)) await sql`drop trigger ${sql.id(name)}`.execute(trx);
  await trx.deleteFrom('move_change').execute();
}

/**
 * Gives up a move, and removes its triggers. Resolves with false, and changes nothing, if the move has ended, or if
 * another move has begun.
 */
export const giveUpWatched = (sqlite: Store, move: string | null): Promise<boolean> =>
  sqlite.write(async (trx) => {
    const isGivenUp = await giveUpMove(trx, move);
    if (isGivenUp) await forgetOldRows(trx);
    return isGivenUp;
  });

/**
 * Removes the triggers that an unfinished move left. If the move had not yet asked a daemon to stop, also removes the
 * row of the move. A starting daemon calls this.
 */
export async function endAnyWatch(sqlite: Store): Promise<void> {
  if ((await triggersOf(sqlite.db)).length === 0) return;
  await sqlite.write(async (trx) => {
    await endWatching(trx);
    await forgetOldRows(trx);
  });
}

/** Returns whether all triggers of `watchOldRows` exist. */
export function isWatched(source: Source, tables: readonly HistoryTable[]): boolean {
  return source.triggers(prefix) === tables.length * operations.length;
}

/** Returns the noted changes, and removes them. Resolves with null, and removes nothing, if this move has ended. */
export const takeChanges = (sqlite: Store, move: string): Promise<MoveChangeTable[] | null> =>
  sqlite.write(async (trx) => {
    if ((await readMove(trx))?.move !== move) return null;
    return trx.deleteFrom('move_change').returningAll().execute();
  });

/**
 * Returns the ranges of a table that contain all changed rows. Consecutive periods are one range. If the key does not
 * begin with the monitor, a range contains the rows of all monitors, because reading the rows of only one monitor would
 * not be faster.
 */
export function changedRanges(table: HistoryTable, changes: readonly MoveChangeTable[]): Range[] {
  const [units, perMonitor] = [unitsOf(table), table.shape.key[0] === 'monitor'];
  const groups = Map.groupBy(
    changes.filter(({ name }) => name === table.shape.name),
    ({ monitor }) => (perMonitor ? monitor : null),
  );
  return [...groups].flatMap(([monitor, rows]) =>
    runsOf(rows.map(({ period }) => period)).map(({ first, last }) => ({
      since: { column: table.column, value: first * units },
      until: (last + 1) * units,
      monitor,
    })),
  );
}

function runsOf(periods: readonly number[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const period of [...new Set(periods)].toSorted((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && run.last === period - 1) run.last = period;
    else runs.push({ first: period, last: period });
  }
  return runs;
}

async function triggersOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and substr(name, 1, ${prefix.length}) = ${prefix}`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

function trigger(table: HistoryTable, operation: (typeof operations)[number], first: number): string {
  const { shape, column } = table;
  const sides = { insert: ['new'], update: ['old', 'new'], delete: ['old'] }[operation];
  // `or ignore` does not suffice here: if the statement that changes the row has a conflict clause, SQLite uses that
  // clause in its triggers too.
  const notes = sides.map((side) => {
    // If the key does not begin with the monitor, `changedRanges` does not need the monitor.
    const monitor = shape.key[0] === 'monitor' ? `${side}.monitor` : '0';
    const period = `${side}."${column}" / ${unitsOf(table)}`;
    return `insert into move_change (name, monitor, period) select '${shape.name}', ${monitor}, ${period}
      where ${side}."${column}" < ${first} and not exists (
        select 1 from move_change where name = '${shape.name}' and monitor = ${monitor} and period = ${period});`;
  });
  return `create trigger "${prefix}${shape.name}_${operation}" after ${operation} on "${shape.name}"
    when ${sides.map((side) => `${side}."${column}" < ${first}`).join(' or ')} begin ${notes.join(' ')} end`;
}
