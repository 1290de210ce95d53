import type { FinishedCheck, RecordedCheck, RecordOutcomes } from './record-outcome.ts';

/** Records checks that probes ran, beside the engine's own. */
export interface RemoteRecording {
  /** Since when this process has watched without a gap, in epoch milliseconds. */
  observingSince(): number;
  record: RecordOutcomes;
  /** Takes note of recorded checks. Call it after the commit. */
  learn(checks: readonly FinishedCheck[], recorded: readonly RecordedCheck[]): void;
}
