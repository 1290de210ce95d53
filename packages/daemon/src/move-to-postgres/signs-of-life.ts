import { moverGoneAfterMs, readMove, renewMove } from '../store/database-move.ts';
import { wait } from '../wait.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { lostText, MoveError, otherRunText, restartedText } from './move-error.ts';
import type { Source } from './source.ts';

/** Time between two updates of `renewed_at`, which shows the daemon that the move still runs. */
const renewAfterMs = moverGoneAfterMs / 5;

/** The signs of life of a run, from the creation of its triggers to the end of the move. */
export interface SignsOfLife {
  /** Throws if SQLite no longer has the move of this run, or if the last sign of life was not stored. */
  check(): void;
  /** Like `check`, but gives a sign of life if one is due. */
  keep(): Promise<void>;
  /** Resolves with the error that says why SQLite no longer has the move of this run. */
  lost(): Promise<MoveError>;
  /** Ends the signs of life. */
  end(): Promise<void>;
}

/** Gives signs of life until `end` is called. Call this function just after the move was stored in SQLite. */
export function giveSigns(
  { clock, sqlite, postgres }: Pick<MoveOptions, 'clock' | 'sqlite' | 'postgres'>,
  move: string,
): SignsOfLife {
  const ending = new AbortController();
  let renewedMonoMs = clock.monotonicMs();
  let failure: unknown = null;

  const lost = async () => {
    const silentMs = clock.monotonicMs() - renewedMonoMs;
    const stored = await readMove(sqlite.db);
    const isReplaced = (stored && stored.move !== move) || (await readMove(postgres.db))?.move !== move;
    // The daemon gives up only a run that gave no sign of life for `moverGoneAfterMs`. If this run did give signs of
    // life, the daemon was restarted, and its start ended this run.
    return new MoveError(isReplaced ? otherRunText : silentMs >= moverGoneAfterMs ? lostText : restartedText);
  };
  const renew = async () => {
    const begunMonoMs = clock.monotonicMs();
    if (!(await renewMove(sqlite.db, move, clock.now()))) throw await lost();
    renewedMonoMs = begunMonoMs;
  };
  const renewInTime = async () => {
    for (;;) {
      await wait(clock, renewAfterMs, ending.signal);
      if (ending.signal.aborted) return;
      await renew();
    }
  };
  const renewing = renewInTime().catch((error: unknown) => {
    failure = error;
  });
  const check = () => {
    if (failure !== null) throw failure;
  };
  return {
    check,
    async keep() {
      check();
      if (clock.monotonicMs() - renewedMonoMs >= renewAfterMs) await renew();
    },
    lost,
    async end() {
      ending.abort();
      await renewing;
    },
  };
}

/**
 * Returns a source that also gives a sign of life after each page, if a sign is due. The timer of `giveSigns` does not
 * suffice, because it does not run during reads of SQLite.
 */
export const withSigns = (source: Source, signs: Pick<SignsOfLife, 'keep'>): Source => ({
  ...source,
  async *pages(shape, range, after) {
    for await (const rows of source.pages(shape, range, after)) {
      await signs.keep();
      yield rows;
    }
  },
});
