import type { Deps, SteadyClock } from '../deps.ts';
import { judgeHeartbeat } from '../recording/judge-heartbeat.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';
import { readSockets, wait } from '../wait.ts';

/** Longest time between two runs of the loop. The loop runs earlier if a review is due sooner. */
const pollIntervalMs = 1000;
/** Before a silence leads to an outage, pings that wait in a socket get this time to arrive. */
const settleMs = 100;
/** Time until the next run of the loop if other nodes may still have to record pings that they received. */
const othersMs = 250;
/** How many due heartbeats one run reads, and for how many overdue heartbeats it may record an outage. */
const maxLooked = 2000;
const maxJudged = 200;

export interface HeartbeatsOptions {
  store: Store;
  /** Resolves when every ping that this process has received by now is committed. */
  pingsSettled: () => Promise<void>;
  /**
   * Records a sign of life of this daemon. If there was an absence, the deadlines of heartbeats have been extended when
   * this resolves.
   */
  confirmPresence: () => Promise<void>;
  /**
   * Resolves with a time in epoch milliseconds. All pings that any node received before that time are recorded.
   * Resolves with null if no node accepts pings.
   */
  pingsRecordedUntil: () => Promise<number | null>;
  onTransition: (transition: RecordedTransition) => void;
}

/**
 * Finds heartbeats that have been silent for too long, and records their outages:
 * 1. Read the heartbeats whose review is due. If a heartbeat has pinged since its review was set, postpone the review.
 *    This happens here and not when the ping arrives, because an update of the index makes a ping 5 % more expensive.
 * 2. If a heartbeat is overdue, its ping may have arrived without being recorded yet. So wait a moment, or longer after
 *    a stall, and read the sockets. Record an absence, if there was one, and wait until all pings are recorded. Pings
 *    of another node count as recorded up to the last sign of life of that node.
 * 3. Read each overdue heartbeat again. If it is still overdue, record the outage with its alerts in the same
 *    transaction.
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
      .limit(maxLooked)
      .execute();
    const overdue = looked.filter(({ ping_due_at: due }) => due !== null && due <= askedAt);
    if (overdue.length < looked.length) await putOff(store, looked.at(-1)!.silence_review_at!, askedAt);

    if (overdue.length > 0) {
      await letPingsIn();
      const until = await pingsRecordedUntil();
      if (until === null) return pollIntervalMs;
      const silent = overdue.filter(({ ping_due_at: due }) => due !== null && due <= until);
      if (silent.length === 0) return othersMs;
      for (const { monitor } of silent.slice(0, maxJudged)) {
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
   * Waits until all pings that have arrived are recorded. If a timer is late, the process stalled. Then the function
   * waits longer for the sockets.
   */
  async function letPingsIn(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const beforeMonoMs = clock.monotonicMs();
      await wait(clock, settleMs);
      if (clock.monotonicMs() - beforeMonoMs < settleMs * 2) break;
    }
    await readSockets();
    await confirmPresence();
    await pingsSettled();
  }
}

/**
 * Sets the reviews of heartbeats to the times when their pings are due. Changes only heartbeats whose review was due by
 * `until`, and whose ping is not overdue at `askedAt`.
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
