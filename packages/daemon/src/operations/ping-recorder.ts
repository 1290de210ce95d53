import { createBatch } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { RecordedTransition } from './move-state.ts';
import { createPingRecording, type PingAnswer, type ReceivedPing } from './record-pings.ts';

export interface PingRecorder {
  /** Answers once the ping is committed to disk, or that nobody has this token. Throws `unavailable`. */
  record(ping: ReceivedPing): Promise<PingAnswer>;
  /** When the store last refused a ping, in epoch milliseconds; null once it has taken one since. */
  refusedAt(): number | null;
  /** Resolves when every ping taken so far is committed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Records pings, all that come in one turn of the event loop, or in up to three, in one synced commit. */
export function createPingRecorder(store: Store, onTransition: (transition: RecordedTransition) => void): PingRecorder {
  let refusedAt: number | null = null;
  const batch = createBatch(store, createPingRecording(store), {
    onCommit(answers) {
      refusedAt = null;
      for (const answer of answers) if (answer.known && answer.transition) onTransition(answer.transition);
    },
    onRefusal(pings) {
      refusedAt = pings.at(-1)?.at ?? null;
    },
  });
  return {
    record: (ping) => batch.submit(ping),
    refusedAt: () => refusedAt,
    settled: () => batch.settled(),
    close: () => batch.close(),
  };
}
