import { changeMove, readMove } from '../store/database-move.ts';
import { wait } from '../wait.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { MoveError } from './move-error.ts';
import type { SignsOfLife } from './signs-of-life.ts';

/** Longest time that the daemon may take to finish its checks and messages before the move fails. */
const closesWithinMs = 30_000;
const pollIntervalMs = 100;

/** Asks the daemon to write only pings, and waits until the daemon has stopped all other writes. */
export async function closeSqlite(options: MoveOptions, move: string, signs: SignsOfLife): Promise<void> {
  const { clock, sqlite, served } = options;
  const state = served ? 'closing' : 'closed';
  const watching = { move, state: 'watching', last_ping: null } as const;
  if (!(await changeMove(sqlite.db, watching, { state, renewed_at: clock.now() }))) throw await signs.lost();
  const untilMonoMs = clock.monotonicMs() + closesWithinMs;
  for (;;) {
    signs.check();
    const stored = await readMove(sqlite.db);
    if (stored?.move !== move) throw await signs.lost();
    if (stored.state === 'closed') return;
    if (clock.monotonicMs() >= untilMonoMs)
      throw new MoveError(
        'The daemon did not stop its checks in time, so nothing was changed. If it still runs, restart it with the ' +
          'same version as this command. Then run the same command again.',
      );
    await wait(clock, pollIntervalMs);
  }
}
