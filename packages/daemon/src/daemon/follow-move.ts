import type { Deps } from '../deps.ts';
import { type Loop, startLoop } from '../engine/loop.ts';
import { giveUpMove, moverGoneAfterMs, readMove, writeMove } from '../store/database-move.ts';
import type { Store } from '../store/store.ts';

/** Time between two checks of whether a move has begun or ended. */
const pollIntervalMs = 500;

export interface MoveFollower extends Loop {
  /** Whether the daemon accepts only pings now, because its data is being moved. */
  isClosed: () => boolean;
}

/**
 * When a move to PostgreSQL asks for it, stops everything that writes, except the recording of pings. If the process
 * that moves the data gives up or crashes, starts all of that again. Does nothing on PostgreSQL.
 */
export function followMove(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  daemon: { stopWriting(): Promise<void>; goOn(): Promise<void> },
): MoveFollower {
  const { clock, log } = deps;
  let closed = false;
  let isAnnounced = false;
  let mover = { sign: 0, seenAt: 0 };

  const goOn = async () => {
    log.warn({}, 'the move to PostgreSQL was given up: the daemon continues with SQLite');
    await daemon.goOn();
    closed = false;
  };
  const loop = startLoop(deps, 'move', async () => {
    const move = await readMove(store.db);
    if (move && move.renewed_at !== mover.sign) mover = { sign: move.renewed_at, seenAt: clock.monotonicMs() };
    if (move?.state === 'closing') {
      log.info({}, 'moving to PostgreSQL: from now on only pings are accepted');
      closed = true;
      await daemon.stopWriting();
      await writeMove(store.db, { ...move, state: 'closed' });
    } else if (closed && !move) await goOn();
    else if (move?.state === 'closed' && clock.monotonicMs() - mover.seenAt > moverGoneAfterMs) {
      await giveUpMove(store.db);
      if (closed) await goOn();
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
