import type { SteadyClock } from '../deps.ts';
import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { RecordedTransition } from './move-state.ts';
import { createPingRecording, type PingAnswer, type ReceivedPing } from './record-pings.ts';

export interface PingRecorder {
  /** Resolves once the ping is synced to disk, or with the answer that the token is unknown. Throws `unavailable`. */
  record(ping: ReceivedPing): Promise<PingAnswer>;
  /** Time since the store last refused a ping; null once it has accepted one since. */
  refusedForMs(): number | null;
  /** Resolves when every ping received so far is committed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Records pings. All that arrive in one turn of the event loop, or in up to three, share one synced commit. */
export function createPingRecorder(
  store: Store,
  clock: Pick<SteadyClock, 'monotonicMs' | 'renew'>,
  onTransition: (transition: RecordedTransition) => void,
): PingRecorder {
  let refusedAt: number | null = null;
  const recordPings = createPingRecording(store);
  const isCurrent = ({ at }: ReceivedPing) => clock.renew(at) === at;
  // The timeline may have stepped since a ping arrived.
  const renewed = (pings: readonly ReceivedPing[]) =>
    pings.every(isCurrent) ? pings : pings.map((ping) => ({ ...ping, at: clock.renew(ping.at) }));
  const batch = createBatch<ReceivedPing, PingAnswer>(store, (trx, pings) => recordPings(trx, renewed(pings)), {
    onCommit(answers) {
      refusedAt = null;
      for (const answer of answers) if (answer.known && answer.transition) onTransition(answer.transition);
    },
    onRefusal() {
      refusedAt = clock.monotonicMs();
    },
  });
  return {
    record: (ping) => batch.submit(ping),
    refusedForMs: () => (refusedAt === null ? null : clock.monotonicMs() - refusedAt),
    settled: () => batch.settled(),
    close: () => batch.close(),
  };
}
