import type { Diagnostic } from '../manifest/diagnostic.ts';
import type { Applied } from '../plan/apply.ts';
import type { Plan } from '../plan/change.ts';

/** The content of a report for the readers of a pull request. */
export interface PlanReport {
  /** The files of the manifest, and its environment. They distinguish the reports of different manifests. */
  manifest: { files: readonly string[]; environment: string | null };
  /** The plan; null if the manifest has faults. */
  plan: Plan | null;
  /** The outcome of the changes; null if no change was started. */
  applied: (Pick<Applied, 'done' | 'skipped'> & { failed: readonly string[] }) | null;
  faults: readonly Diagnostic[];
  warnings: readonly Diagnostic[];
}
