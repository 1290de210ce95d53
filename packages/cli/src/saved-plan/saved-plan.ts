import type { ManifestChoice } from '../manifest/manifest-choice.ts';
import type { JsonPlan } from '../plan/render-json.ts';
import type { Fingerprint } from './fingerprint.ts';

/** The flags of the command that made the plan. Apply uses them to make the plan again. */
export interface PlanFlags {
  manifest: ManifestChoice;
  prune: boolean;
  takeOver: boolean;
  allowDeletes: boolean;
}

/**
 * The content of a plan file. It contains no secrets, because apply makes the plan again from the manifest, the
 * environment and the server. Then apply compares the new plan with this plan.
 */
export interface SavedPlan {
  /** The project for which the plan was made; null if the server does not name its project. */
  project: string | null;
  siteUrl: string;
  flags: PlanFlags;
  salt: string;
  madeFrom: Fingerprint;
  plan: JsonPlan;
}
