import type { Deps, SteadyClock } from '../deps.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';
import { readSockets, wait } from '../wait.ts';

/** Longest time between two runs of the loop. It runs earlier if a review is due sooner. */
const pollIntervalMs = 1000;
/** Before silence is judged, pings that wait in a socket get this time to arrive. */
const settleMs = 100;
/** Time until the next run while pings of other nodes may not be recorded yet. */
const othersMs = 250;
/** How many heartbeats one run reads, and how many overdue ones it judges. */
const mostLooked = 2000;
const mostJudged = 200;

export interface HeartbeatsOptions {
  store: Store;
  /** Resolves when every ping received so far is committed. */
  pingsSettled: () => Promise<void>;
  /**
   * Records a sign of life. If there was an absence, this has extended the deadlines of heartbeats when it resolves.
   */
  confirmPresence: () => Promise<void>;
  /**
   * Resolves with a time in epoch milliseconds: all pings that any node received before it are recorded. Null if no
   * node accepts pings.
   */
  pingsRecordedUntil: () => Promise<number | null>;
  onTransition: (transition: RecordedTransition) => void;
}

/**
 * Judges silence:
 * 1. Find the heartbeats whose review is due. Postpone the reviews of those that got a ping meanwhile. The ping itself
 *    does not postpone the review, because updating an index would make each ping 5 % more expensive.
 * 2. If a heartbeat is overdue, its ping may have arrived without being recorded yet. So read the sockets, several
 *    times after a stall. Record an absence, if there was one, and wait until all pings are recorded. Pings of another
 *    node count as recorded up to the last sign of life of that node.
 * 3. Judge each overdue heartbeat again, in one transaction with the effects of the verdict.
 * 4. Run again when the next review is due.
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
        // The clock may have stepped since `askedAt` was read.
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

  /**
   * Waits until arrived pings are recorded. If a timer is late, the process stalled, and the sockets need more time.
   */
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
 * Postpones reviews to the times when the pings are due. It does so for heartbeats whose review was due by `until`, and
 * whose ping is not overdue as of `askedAt`.
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
