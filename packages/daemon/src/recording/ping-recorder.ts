import type { SteadyClock } from '../deps.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { RecordedTransition } from './move-state.ts';
import { createRecordSomePings, type NewsOptions, type PingAnswer, type ReceivedPing } from './record-pings.ts';

export interface PingRecorder {
  /**
   * Resolves when the ping is synced to disk, or when the store does not know the token; the answer says which. Throws
   * `unavailable` if the store refuses the ping.
   */
  record(ping: ReceivedPing): Promise<PingAnswer>;
  /**
   * Milliseconds since the store last refused a ping. Null if the store has accepted a ping since then, or has never
   * refused one.
   */
  refusedForMs(): number | null;
  /** Resolves when every ping received so far is committed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A transaction for pings that begin or end outages stops after this time, but records at least one ping. Its time is
 * limited, because each such ping may open or resolve hundreds of alerts.
 */
const newsSliceMs = 4;
/**
 * Time between two transactions for pings that begin or end outages. In between, other pings and checks are recorded.
 */
const newsGatherMs = 8;

/**
 * Creates the recorder of pings. All pings that arrive within up to three turns of the event loop share one synced
 * commit. Pings that begin or end an outage have commits of their own, so that they do not delay the other pings.
 */
export function createPingRecorder(
  store: Store,
  clock: Pick<SteadyClock, 'monotonicMs' | 'renew'>,
  onTransition: (transition: RecordedTransition) => void,
): PingRecorder {
  let refusedMonoMs: number | null = null;
  const recordPings = createRecordSomePings(store);
  const isCurrent = ({ at }: ReceivedPing) => clock.renew(at) === at;
  // The clock may have stepped since a ping arrived, so the times of the pings are corrected.
  const renewed = (pings: readonly ReceivedPing[]) =>
    pings.every(isCurrent) ? pings : pings.map((ping) => ({ ...ping, at: clock.renew(ping.at) }));
  const onRefusal = () => {
    refusedMonoMs = clock.monotonicMs();
  };
  const onCommit = (answers: readonly (PingAnswer | null)[]) => {
    refusedMonoMs = null;
    for (const answer of answers) if (answer?.known && answer.transition) onTransition(answer.transition);
  };

  const left = createLeftPings();
  const news = createBatch<ReceivedPing, PingAnswer>(
    store,
    async (trx, pings) => {
      const begunMonoMs = clock.monotonicMs();
      const options: NewsOptions = { isEnough: () => clock.monotonicMs() - begunMonoMs >= newsSliceMs };
      const answers = await recordPings(trx, renewed(pings), options);
      return answers.filter((answer) => answer !== null);
    },
    { gatherMs: newsGatherMs, inParts: true, onCommit, onRefusal },
  );
  const recordLater = (ping: ReceivedPing): Promise<PingAnswer> =>
    news.submit(ping).finally(() => left.forget(ping.token));

  const batch = createBatch<ReceivedPing, PingAnswer | null>(
    store,
    (trx, pings) => recordPings(trx, renewed(pings), { leave: true, left: left.counts }),
    {
      urgent: true,
      onCommit,
      onRefusal,
      finish(answer, ping) {
        if (answer !== null) return answer;
        left.add(ping.token);
        return recordLater(ping);
      },
    },
  );
  return {
    // The cast is safe, because `finish` replaces each null. A runtime check would need one more promise, and would
    // slow down every ping.
    record: (ping) => batch.submit(ping) as Promise<PingAnswer>,
    refusedForMs: () => (refusedMonoMs === null ? null : clock.monotonicMs() - refusedMonoMs),
    async settled() {
      await batch.settled();
      await news.settled();
    },
    async close() {
      await batch.close();
      await news.close();
    },
  };
}

/**
 * For each heartbeat, counts the pings that wait for the batch `news`. Later pings of the heartbeat wait behind them.
 */
function createLeftPings() {
  const counts = new Map<string, number>();
  return {
    counts,
    add: (token: string) => void counts.set(token, (counts.get(token) ?? 0) + 1),
    forget(token: string) {
      const others = counts.get(token)! - 1;
      if (others > 0) counts.set(token, others);
      else counts.delete(token);
    },
  };
}
