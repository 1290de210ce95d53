import { beginMove, giveUpMove, moverGoneAfterMs, readMove, renewMove } from '../store/database-move.ts';
import { wait } from '../wait.ts';
import { anotherRunsText } from './claim-target.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { lostText, MoveError } from './move-error.ts';

/** Longest time that the daemon may take to finish its checks and messages before the move fails. */
const closesWithinMs = 30_000;
const pollIntervalMs = 100;
/** Time between two updates of `renewed_at`, which shows the daemon that the move still runs. */
const renewAfterMs = moverGoneAfterMs / 5;

export interface ClosedSqlite {
  /** Throws if the daemon has given up the move, or if the last sign of life was not stored. */
  check(): void;
  /** Ends the signs of life. */
  end(): Promise<void>;
}

/**
 * Asks the daemon to write only pings, and waits until the daemon has stopped all other writes. Gives signs of life
 * until `end` is called.
 */
export async function closeSqlite(options: MoveOptions, move: string): Promise<ClosedSqlite> {
  const { clock, sqlite, installation, served } = options;
  const state = served ? 'closing' : 'closed';
  if (!(await beginMove(sqlite.db, { installation, state, move, renewed_at: clock.now(), last_ping: null })))
    throw new MoveError(anotherRunsText);
  const closed = giveSigns(options, move);
  try {
    const until = clock.monotonicMs() + closesWithinMs;
    for (;;) {
      closed.check();
      const stored = await readMove(sqlite.db);
      if (stored?.move !== move) throw new MoveError(lostText);
      if (stored.state === 'closed') return closed;
      if (clock.monotonicMs() >= until)
        throw new MoveError('The daemon did not stop its checks in time. Is it of this version? Nothing was changed.');
      await wait(clock, pollIntervalMs);
    }
  } catch (error) {
    await closed.end();
    await giveUpMove(sqlite.db, move);
    throw error;
  }
}

function giveSigns({ clock, sqlite }: MoveOptions, move: string): ClosedSqlite {
  const ending = new AbortController();
  let failure: unknown = null;
  const renew = async () => {
    while (!ending.signal.aborted) {
      await wait(clock, renewAfterMs, ending.signal);
      if (ending.signal.aborted) return;
      if (!(await renewMove(sqlite.db, move, clock.now()))) throw new MoveError(lostText);
    }
  };
  const renewing = renew().catch((error: unknown) => {
    failure = error;
  });
  return {
    check() {
      if (failure !== null) throw failure;
    },
    async end() {
      ending.abort();
      await renewing;
    },
  };
}
