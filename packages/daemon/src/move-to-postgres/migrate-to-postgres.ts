import type { Clock } from '../deps.ts';
import { changeMove } from '../store/database-move.ts';
import { newId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import { beginWatch } from './begin-watch.ts';
import { checkClaim, type Claimed, claimTarget } from './claim-target.ts';
import { closeSqlite } from './close-sqlite.ts';
import { MoveError, otherRunText } from './move-error.ts';
import {
  copyHistory,
  makeChangesEqual,
  firstRows,
  makeEqual,
  moveCounters,
  type MovedTable,
  type Progress,
  tablesToMove,
} from './move-tables.ts';
import { type FirstRows, forgetOldRows, giveUpWatched, historyTables, isWatched, takeChanges } from './old-rows.ts';
import { type SignsOfLife, withSigns } from './signs-of-life.ts';
import { openSource, type Source } from './source.ts';
import { createTarget, type Target } from './target.ts';

/**
 * Maximum number of comparisons. Usually the first comparison corrects all differences, and the second comparison finds
 * none. Further comparisons are needed only if another program writes to PostgreSQL.
 */
const maxRounds = 3;

export interface MoveOptions {
  clock: Clock;
  dataDir: string;
  /** The random name of the data folder. PostgreSQL stores it, so that the data of two installations is never mixed. */
  installation: string;
  sqlite: Store;
  postgres: Store;
  /** Whether a daemon uses the data folder during the move. */
  served: boolean;
  print: (line: string) => void;
  tell: Progress;
  stopping: AbortSignal;
}

/**
 * Moves a SQLite installation to an empty PostgreSQL, while its daemon serves:
 * 1. Copy the long tables. A second call continues where the first one ended.
 * 2. Compare every row of every table, and correct differences. From here on, SQLite notes changes of old rows.
 * 3. Ask the daemon to write only pings. From here on, it runs no checks and refuses changes.
 * 4. Compare again every row that may have changed, in one snapshot of SQLite, until nothing differs.
 * 5. Store the id of the last ping in that snapshot. The next start of the daemon, on PostgreSQL, takes over the later
 *    pings.
 *
 * Throws `MoveError`, and leaves SQLite in use, if the data cannot be moved. `read` in the result is null if an earlier
 * call has moved all data, and this call only had to mark PostgreSQL as filled.
 */
export async function migrateToPostgres(options: MoveOptions): Promise<{ read: number | null }> {
  const { clock, postgres } = options;
  const move = newId('move', clock.now());
  const found = await claimTarget(options, move);
  if (found.isMoved) {
    await confirm(postgres, found);
    return { read: null };
  }
  const source = openSource(options.dataDir);
  try {
    return await moveAll(options, move, source, createTarget(postgres, move));
  } finally {
    source.close();
  }
}

async function moveAll(options: MoveOptions, move: string, source: Source, target: Target): Promise<{ read: number }> {
  const { clock, sqlite, print, tell } = options;
  const tables = await tablesToMove(source, target);
  print('1/3 Copying. The daemon continues as before.');
  await copyHistory(source, target, tables, tell);
  const firsts = firstRows(source, tables, clock.now());
  const signs = await beginWatch(options, move, tables, firsts);
  try {
    return await moveWatched(options, { move, firsts, tables, source: withSigns(source, signs), target, signs });
  } catch (error) {
    // If the move was already committed, this call changes nothing.
    await giveUpWatched(sqlite, move);
    throw error;
  } finally {
    await signs.end();
  }
}

/** A move while SQLite notes changes of old rows. */
interface WatchedMove {
  move: string;
  /** SQLite notes changes of rows whose time or number is below these values. */
  firsts: FirstRows;
  tables: readonly MovedTable[];
  source: Source;
  target: Target;
  signs: SignsOfLife;
}

async function moveWatched(options: MoveOptions, watched: WatchedMove): Promise<{ read: number }> {
  const { sqlite, print, tell, stopping } = options;
  const { move, tables, source, target, signs } = watched;
  print('2/3 Comparing every row.');
  await makeEqual(source, target, tables, { which: 'history', firsts: null, tell });
  await source.inOneState(() => makeEqual(source, target, tables, { which: 'whole', firsts: null, tell }));
  // Most old rows that have changed are compared now, so that few are left for the time without checks.
  const changes = await takeChanges(sqlite, move);
  if (!changes) throw await signs.lost();
  await makeChangesEqual(source, target, tables, { changes, tell });
  stopping.throwIfAborted();
  // The daemon must not stop its checks for a run that cannot end its move.
  await checkClaim(options, move);
  await closeSqlite(options, move, signs);
  print('3/3 The daemon now accepts only pings. Comparing what has changed since.');
  const { read, lastPing } = await moveRest(watched, tell);
  await moveCounters(source, target, tables);
  stopping.throwIfAborted();
  signs.check();
  await commit(options, { move, lastPing, signs });
  return { read };
}

/**
 * Makes PostgreSQL equal to one snapshot of SQLite, and compares until nothing differs. Meanwhile SQLite still records
 * pings. `lastPing` in the result is the id of the last ping in that snapshot.
 */
function moveRest(
  { firsts, tables, source, target, signs }: WatchedMove,
  tell: Progress,
): Promise<{ read: number; lastPing: number }> {
  const options = { firsts, tell };
  return source.inOneState(async () => {
    const lastPing = source.highest('ping', 'id');
    if (!isWatched(source, historyTables(tables))) throw await signs.lost();
    const changes = source.changes();
    for (let round = 0; round < maxRounds; round++) {
      const parts = [
        await makeEqual(source, target, tables, { ...options, which: 'history' }),
        await makeChangesEqual(source, target, tables, { ...options, changes }),
        await makeEqual(source, target, tables, { ...options, which: 'whole' }),
      ];
      if (parts.every(({ differing }) => differing === 0))
        return { read: parts.reduce((sum, { read }) => sum + read, 0), lastPing };
    }
    throw new MoveError('The two databases still differ. Does another program write to PostgreSQL?');
  });
}

/**
 * Ends the move. The move takes effect when SQLite stores `moved`: before that, no daemon starts on PostgreSQL, and
 * after that, no daemon starts on SQLite. If the process is killed just after that, the next run only marks PostgreSQL
 * as filled.
 */
async function commit(
  { clock, sqlite, postgres }: MoveOptions,
  { move, lastPing, signs }: Pick<WatchedMove, 'move' | 'signs'> & { lastPing: number },
): Promise<void> {
  const begun = { move, last_ping: null };
  const complete = { move, last_ping: lastPing };
  // A run that read the row of PostgreSQL before this change can no longer claim PostgreSQL. A run that reads the row
  // after this change then also reads whether SQLite stores `moved`.
  if (!(await changeMove(postgres.db, { ...begun, state: 'filling' }, complete))) throw new MoveError(otherRunText);
  const moved = { ...complete, state: 'moved', renewed_at: clock.now() } as const;
  const isMoved = await sqlite.write(async (trx) => {
    if (!(await changeMove(trx, { ...begun, state: 'closed' }, moved))) return false;
    await forgetOldRows(trx);
    return true;
  });
  if (!isMoved) throw await signs.lost();
  await confirm(postgres, complete);
}

/** Marks PostgreSQL as filled, so that daemons start on it. */
async function confirm(postgres: Store, { move, last_ping }: Pick<Claimed, 'move' | 'last_ping'>): Promise<void> {
  try {
    if (await changeMove(postgres.db, { move, last_ping, state: 'filling' }, { state: 'filled' })) return;
  } catch (error) {
    throw new MoveError('All data was moved, but PostgreSQL failed before the end. Run the same command once more.', {
      cause: error,
    });
  }
  throw new MoveError('All data was moved, but another program changed PostgreSQL. Run the same command once more.');
}
