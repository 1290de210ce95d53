import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { RecordedTransition } from './move-state.ts';
import { createPingRecording, type ReceivedPing } from './record-pings.ts';

export interface PingRecorder {
  /** Answers once the ping is committed to disk, or that nobody has this token. Throws `unavailable`. */
  record(ping: ReceivedPing): Promise<'recorded' | 'unknown'>;
  /** When the store last refused a ping, in epoch milliseconds; null once it has taken one since. */
  refusedAt(): number | null;
  /** Resolves when every ping taken so far is committed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Records pings, all of one event-loop turn in one synced commit. */
export function createPingRecorder(store: Store, onTransition: (transition: RecordedTransition) => void): PingRecorder {
  const batch = createBatch(store, createPingRecording(store));
  let refusedAt: number | null = null;
  return {
    record: (ping) =>
      batch.submit(ping).then(
        (answer) => {
          refusedAt = null;
          if (!answer.known) return 'unknown';
          if (answer.transition) onTransition(answer.transition);
          return 'recorded';
        },
        (error: unknown) => {
          refusedAt = ping.at;
          throw error;
        },
      ),
    refusedAt: () => refusedAt,
    settled: () => batch.settled(),
    close: () => batch.close(),
  };
}
