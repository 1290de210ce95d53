import type { Deps, SteadyClock } from '../deps.ts';
import { judgeHeartbeat } from '../operations/judge-heartbeat.ts';
import type { RecordedTransition } from '../operations/move-state.ts';
import type { Store } from '../store/store.ts';
import { type Loop, nextTurn, pause, startLoop } from './loop.ts';

/** Milliseconds between looks, when nothing is due sooner. */
const patience = 1000;
/** Milliseconds given to pings that wait in a socket before silence is judged. */
const settle = 100;
/** Turns of the event loop given to them as well: to be accepted, read and taken needs one each, and a turn may be long. */
const turns = 5;
/** Of those that are to be looked at, so many at a time; of those that are overdue. */
const mostLooked = 2000;
const mostJudged = 200;

export interface HeartbeatsOptions {
  store: Store;
  /** Resolves when every ping taken so far is committed. */
  pingsSettled: () => Promise<void>;
  /** Resolves when a time in which nobody watched, if there was one, has been given back to the heartbeats. */
  confirmPresence: () => Promise<void>;
  onTransition: (transition: RecordedTransition) => void;
}

/**
 * Judges silence:
 * 1. Find the heartbeats that are to be looked at, and put off those that have pinged meanwhile. Their pings did not:
 *    to move an index with each of them would be a twentieth of their cost.
 * 2. Where one is overdue, make sure that somebody watched all that time, and let in the pings that have arrived but were
 *    not read yet; after a stall, wait until there is none.
 * 3. Judge each that is overdue again, in one transaction with what follows.
 * 4. Come back when the next one is due.
 */
export function startHeartbeats(
  deps: Deps & { clock: SteadyClock },
  { store, pingsSettled, confirmPresence, onTransition }: HeartbeatsOptions,
): Loop {
  const { clock } = deps;

  return startLoop(deps, 'heartbeats', async () => {
    const asked = clock.now();
    const stepped = clock.stepped();
    const looked = await store.db
      .selectFrom('monitor_state')
      .select(['monitor', 'ping_due_at', 'silence_review_at'])
      .where('silence_review_at', '<=', asked)
      .orderBy('silence_review_at')
      .limit(mostLooked)
      .execute();
    const overdue = looked.filter(({ ping_due_at: due }) => due !== null && due <= asked);
    if (overdue.length < looked.length) await putOff(looked.at(-1)!.silence_review_at!, asked);

    if (overdue.length > 0) {
      await letPingsIn();
      for (const { monitor } of overdue.slice(0, mostJudged)) {
        // The timeline may have stepped since this began.
        const transition = await store.write((trx) => judgeHeartbeat(trx, monitor, asked + clock.stepped() - stepped));
        if (transition) onTransition(transition);
      }
    }

    const next = await store.db
      .selectFrom('monitor_state')
      .select('silence_review_at as at')
      .where('silence_review_at', 'is not', null)
      .orderBy('silence_review_at')
      .limit(1)
      .executeTakeFirst();
    return next?.at ? Math.min(patience, Math.max(10, next.at - clock.now())) : patience;
  });

  /** Those that were to be looked at by `until`, and are not overdue as of `asked`, are looked at again when they may be. */
  async function putOff(until: number, asked: number): Promise<void> {
    await store.write(
      (trx) =>
        trx
          .updateTable('monitor_state')
          .set((set) => ({ silence_review_at: set.ref('ping_due_at') }))
          .where('silence_review_at', '<=', until)
          .where((is) => is.or([is('ping_due_at', '>', asked), is('ping_due_at', 'is', null)]))
          .execute(),
      { durable: false },
    );
  }

  /** A pause that comes back late tells of a stall: what waits in the sockets then needs another turn. */
  async function letPingsIn(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const before = clock.monotonic();
      await pause(clock, settle);
      if (clock.monotonic() - before < settle * 2) break;
    }
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    await confirmPresence();
    await pingsSettled();
  }
}
