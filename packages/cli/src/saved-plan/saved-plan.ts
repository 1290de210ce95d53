import type { ManifestChoice } from '../manifest/manifest-choice.ts';
import type { JsonPlan } from '../plan/render-json.ts';
import type { Fingerprint } from './fingerprint.ts';

/** The flags of the command that made the plan. */
export interface PlanFlags {
  manifest: ManifestChoice;
  prune: boolean;
  takeOver: boolean;
  allowDeletes: boolean;
}

/** A plan in a file. It holds no secrets: apply reads the manifest and the environment again, and compares. */
export interface SavedPlan {
  /** The project that the plan is for; null if the server does not name it. */
  project: string | null;
  siteUrl: string;
  flags: PlanFlags;
  salt: string;
  madeFrom: Fingerprint;
  plan: JsonPlan;
}
