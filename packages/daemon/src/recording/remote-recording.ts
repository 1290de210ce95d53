import type { Absences } from '../core/absence.ts';
import type { FinishedCheck, RecordedCheck, RecordOutcomes } from './record-outcome.ts';

/** Records the checks that probes ran, as the engine records its own checks. */
export interface RemoteRecording {
  /** The time since which this process has run without an absence, in epoch milliseconds. */
  observingSince(): number;
  /** The latest absences: see core/absence.ts. */
  absences(): Absences;
  record: RecordOutcomes;
  /** Remembers recorded checks. Call it after the commit. */
  learn(checks: readonly FinishedCheck[], recorded: readonly RecordedCheck[]): void;
}
