import type { Deps, SteadyClock } from '../deps.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';
import { readSockets, wait } from '../wait.ts';

/** Time between looks, when nothing is due sooner. */
const pollIntervalMs = 1000;
/** Time given to pings that wait in a socket before silence is judged. */
const settleMs = 100;
/** Time until the next look while pings of other nodes may not be recorded yet. */
const othersMs = 250;
/** How many heartbeats one look reads, and how many overdue ones it judges. */
const mostLooked = 2000;
const mostJudged = 200;

export interface HeartbeatsOptions {
  store: Store;
  /** Resolves when every ping received so far is committed. */
  pingsSettled: () => Promise<void>;
  /** Resolves when the deadlines of heartbeats have been extended by an absence, if there was one. */
  confirmPresence: () => Promise<void>;
  /**
   * All pings that any node received before this time are recorded, in epoch milliseconds; null if no node accepts
   * pings.
   */
  pingsRecordedUntil: () => Promise<number | null>;
  onTransition: (transition: RecordedTransition) => void;
}

/**
 * Judges silence:
 * 1. Find the heartbeats due for a look, and postpone those that have pinged meanwhile. A ping does not postpone the
 *    look itself, because updating an index would add a twentieth to its cost.
 * 2. If a heartbeat is overdue, make sure that there was no absence. Read the pings that have arrived; after a stall, all
 *    pings in the sockets. Wait for the signs of life of other nodes, which follow the pings of these nodes.
 * 3. Judge each overdue heartbeat again, in one transaction with the effects of the verdict.
 * 4. Look again when the next heartbeat is due.
 */
export function startHeartbeats(
  deps: Deps & { clock: SteadyClock },
  { store, pingsSettled, confirmPresence, pingsRecordedUntil, onTransition }: HeartbeatsOptions,
): Loop {
  const { clock } = deps;

  return startLoop(deps, 'heartbeats', async () => {
    const askedAt = clock.now();
    const steppedBeforeMs = clock.steppedMs();
    const looked = await store.db
      .selectFrom('monitor_state')
      .select(['monitor', 'ping_due_at', 'silence_review_at'])
      .where('silence_review_at', '<=', askedAt)
      .orderBy('silence_review_at')
      .limit(mostLooked)
      .execute();
    const overdue = looked.filter(({ ping_due_at: due }) => due !== null && due <= askedAt);
    if (overdue.length < looked.length) await putOff(store, looked.at(-1)!.silence_review_at!, askedAt);

    if (overdue.length > 0) {
      await letPingsIn();
      const until = await pingsRecordedUntil();
      if (until === null) return pollIntervalMs;
      const silent = overdue.filter(({ ping_due_at: due }) => due !== null && due <= until);
      if (silent.length === 0) return othersMs;
      for (const { monitor } of silent.slice(0, mostJudged)) {
        // The clock may have stepped since this began.
        const transition = await store.write((trx) =>
          judgeHeartbeat(trx, monitor, askedAt + clock.steppedMs() - steppedBeforeMs),
        );
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
    return next?.at ? Math.min(pollIntervalMs, Math.max(10, next.at - clock.now())) : pollIntervalMs;
  });

  /** A late timer is the sign of a stall: the sockets then need another turn. */
  async function letPingsIn(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const before = clock.monotonicMs();
      await wait(clock, settleMs);
      if (clock.monotonicMs() - before < settleMs * 2) break;
    }
    await readSockets();
    await confirmPresence();
    await pingsSettled();
  }
}

/**
 * Postpones the next look at heartbeats to the times when their pings are due. It does so for heartbeats that were due
 * for a look by `until`, and are not overdue as of `askedAt`.
 */
async function putOff(store: Store, until: number, askedAt: number): Promise<void> {
  await store.write(
    (trx) =>
      trx
        .updateTable('monitor_state')
        .set((set) => ({ silence_review_at: set.ref('ping_due_at') }))
        .where('silence_review_at', '<=', until)
        .where((is) => is.or([is('ping_due_at', '>', askedAt), is('ping_due_at', 'is', null)]))
        .execute(),
    { durable: false },
  );
}
