import type { Diagnostic } from '../manifest/diagnostic.ts';
import type { Applied } from '../plan/apply.ts';
import type { Plan } from '../plan/change.ts';

/** The content of a message to the readers of a pull request. */
export interface PlanReport {
  /** The files and the environment of the manifest. They distinguish reports of different manifests. */
  manifest: { files: readonly string[]; environment: string | null };
  /** Null if the manifest has faults. */
  plan: Plan | null;
  /** How the changes went; null if none was started. */
  applied: (Pick<Applied, 'done' | 'skipped'> & { failed: readonly string[] }) | null;
  faults: readonly Diagnostic[];
  warnings: readonly Diagnostic[];
}
