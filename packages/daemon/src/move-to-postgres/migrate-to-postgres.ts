import type { Clock } from '../deps.ts';
import { giveUpMove, moverGoneAfterMs, readMove, renewMove, writeMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';
import { copyHistory, makeEqual, moveCounters, type MovedTable, type Progress, tablesToMove } from './move-tables.ts';
import { openSource, type Source } from './source.ts';
import { createTarget, type Target } from './target.ts';

/** Longest time that the daemon may take to finish its checks and messages before the move fails. */
const closesWithinMs = 30_000;
const pollIntervalMs = 100;
/** Time between two updates of `renewed_at`, which shows the daemon that the move still runs. */
const renewAfterMs = moverGoneAfterMs / 5;
/**
 * Maximum number of comparisons. Usually the first one corrects all differences, and the second one finds no more.
 * Further comparisons are needed only if another program writes to PostgreSQL.
 */
const mostRounds = 3;

export class MoveError extends Error {
  override name = 'MoveError';
}

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
 * 2. Compare every row of every table, and correct differences.
 * 3. Ask the daemon to write only pings. From here on, it runs no checks and refuses changes.
 * 4. Compare again every row that may have changed, in one state of SQLite, until nothing differs.
 * 5. Store the id of the last ping in that state. The next start of the daemon, on PostgreSQL, takes over the later
 *    pings.
 *
 * Throws `MoveError`, and leaves SQLite in use, if the data cannot be moved.
 */
export async function migrateToPostgres(options: MoveOptions): Promise<{ read: number }> {
  const { clock, sqlite, postgres, installation, print, tell, stopping } = options;
  await claimTarget(postgres, installation, clock.now());
  const source = openSource(options.dataDir);
  const target = createTarget(postgres);
  try {
    const tables = await tablesToMove(source, target);
    print('1/3 Copying. The daemon continues as before.');
    await copyHistory(source, target, tables, tell);
    print('2/3 Comparing every row.');
    const begun = clock.now();
    await makeEqual(source, target, tables, { which: 'history', since: null, tell });
    await source.inOneState(() => makeEqual(source, target, tables, { which: 'whole', since: null, tell }));
    stopping.throwIfAborted();
    const renewal = await closeSqlite(options);
    try {
      print('3/3 The daemon now accepts only pings. Comparing what has changed since.');
      const last = await moveRest(source, target, tables, { since: begun, tell });
      await moveCounters(source, target, tables);
      stopping.throwIfAborted();
      const move = { installation, renewed_at: clock.now(), last_ping: last.lastPing };
      await writeMove(postgres.db, { ...move, state: 'filled' });
      await writeMove(sqlite.db, { ...move, state: 'moved' });
      return { read: last.read };
    } catch (error) {
      await giveUpMove(sqlite.db);
      throw error;
    } finally {
      await renewal.end();
    }
  } finally {
    source.close();
  }
}

/**
 * Makes PostgreSQL equal to one state of SQLite, and compares until nothing differs. Meanwhile SQLite still records
 * pings. `lastPing` in the result is the id of the last ping in that state.
 */
function moveRest(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  options: { since: number; tell: Progress },
): Promise<{ read: number; lastPing: number }> {
  return source.inOneState(async () => {
    const lastPing = source.highest('ping', 'id');
    for (let round = 0; round < mostRounds; round++) {
      const history = await makeEqual(source, target, tables, { ...options, which: 'history' });
      const whole = await makeEqual(source, target, tables, { ...options, which: 'whole' });
      if (history.differing + whole.differing === 0) return { read: history.read + whole.read, lastPing };
    }
    throw new MoveError('The two databases still differ. Does another program write to PostgreSQL?');
  });
}

/**
 * Throws MoveError unless PostgreSQL is empty, or has only data from an earlier attempt to move this installation.
 * Marks it as the target of this installation.
 */
async function claimTarget(postgres: Store, installation: string, now: number): Promise<void> {
  const found = await readMove(postgres.db);
  if (found && found.installation !== installation)
    throw new MoveError('This PostgreSQL holds the data of another installation. Name an empty database.');
  if (found?.state === 'filled')
    throw new MoveError(
      'This data folder was moved to this PostgreSQL already. Restart the daemon with UPTIME_DATABASE_URL.',
    );
  if (!found) {
    const used = await postgres.db.selectFrom('project').select('id').limit(1).executeTakeFirst();
    if (used) throw new MoveError('This PostgreSQL is in use: it has projects. Name an empty database.');
  }
  await writeMove(postgres.db, { installation, state: 'filling', renewed_at: now, last_ping: null });
}

/**
 * Asks the daemon to write only pings, and waits until the daemon has stopped all other writes. Updates `renewed_at`
 * until `end` is called.
 */
async function closeSqlite({ clock, sqlite, installation, served }: MoveOptions): Promise<{ end(): Promise<void> }> {
  const move = { installation, renewed_at: clock.now(), last_ping: null };
  await writeMove(sqlite.db, { ...move, state: served ? 'closing' : 'closed' });
  const ending = new AbortController();
  const renewing = (async () => {
    while (!ending.signal.aborted) {
      await wait(clock, renewAfterMs, ending.signal);
      if (!ending.signal.aborted) await renewMove(sqlite.db, clock.now());
    }
  })();
  const end = async () => {
    ending.abort();
    await renewing;
  };
  const until = clock.monotonicMs() + closesWithinMs;
  while ((await readMove(sqlite.db))?.state !== 'closed') {
    if (clock.monotonicMs() < until) {
      await wait(clock, pollIntervalMs);
      continue;
    }
    await end();
    await giveUpMove(sqlite.db);
    throw new MoveError('The daemon did not stop its checks in time. Is it of this version? Nothing was changed.');
  }
  return { end };
}
