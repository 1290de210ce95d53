import type { Deps } from '../deps.ts';
import { type Loop, startLoop } from '../engine/loop.ts';
import { giveUpWatched } from '../move-to-postgres/old-rows.ts';
import { changeMove, isOpen, moverGoneAfterMs, readMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';

/** Time between two reads of the stored move. Each read shows whether a move has begun or ended. */
const pollIntervalMs = 500;

export interface MoveFollower extends Loop {
  /** Whether the daemon accepts only pings now, because its data is being moved. */
  isClosed: () => boolean;
}

/**
 * Stops everything that writes, except the recording of pings, when a move to PostgreSQL asks for that. Starts the
 * stopped parts again if the process that moves the data gives up or crashes. After a crash, also removes the triggers
 * that note changes of old rows. Does nothing on PostgreSQL.
 */
export function followMove(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  daemon: { stopWriting(): Promise<void>; goOn(): Promise<void> },
): MoveFollower {
  const { clock, log } = deps;
  let closed = false;
  let hasStopped = false;
  let isAnnounced = false;
  let mover = { sign: '', seenMonoMs: 0 };

  const goOn = async () => {
    log.warn({}, 'the move to PostgreSQL was given up: the daemon continues with SQLite');
    await daemon.goOn();
    [closed, hasStopped] = [false, false];
  };
  const loop = startLoop(deps, 'move', async () => {
    const move = await readMove(store.db);
    const sign = `${move?.move} ${move?.renewed_at}`;
    if (sign !== mover.sign) mover = { sign, seenMonoMs: clock.monotonicMs() };
    if (move && isOpen(move) && clock.monotonicMs() - mover.seenMonoMs > moverGoneAfterMs) {
      // `giveUpWatched` returns false if the move has just ended by itself. The next run of this loop finds out how.
      if (!(await giveUpWatched(store, move.move))) return pollIntervalMs;
      log.warn({}, 'the command that moves the data to PostgreSQL gave no sign of life: its move was given up');
      if (closed) await goOn();
    } else if (move?.state === 'closing') {
      if (!closed) log.info({}, 'moving to PostgreSQL: from now on only pings are accepted');
      closed = true;
      // An earlier move may have stopped the daemon's writes. If this loop did not notice the end of that move, the
      // writes are still stopped.
      if (!hasStopped) await daemon.stopWriting();
      hasStopped = true;
      await changeMove(store.db, move, { state: 'closed' });
    } else if (closed && (!move || move.state === 'watching')) {
      // The move that closed the daemon has ended. If another move has begun, its triggers note the changes of old
      // rows, so the daemon may write.
      await goOn();
    } else if (move?.state === 'moved' && !isAnnounced) {
      isAnnounced = true;
      log.warn(
        {},
        'moved to PostgreSQL: restart the daemon with UPTIME_DATABASE_URL; it then takes over the pings since the move',
      );
    }
    return pollIntervalMs;
  });
  return { ...loop, isClosed: () => closed };
}
