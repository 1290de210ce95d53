/** The generations of a monitor: numbers that grow with its edits. */
export interface Generations {
  /** The present generation. */
  generation: number;
  /** The generation of the latest edit of the target, or of the latest resume. */
  targetGeneration: number;
}

/**
 * Whether a check of this generation had the monitor's present target. If so, its result belongs to the monitor's
 * history.
 */
export const isSameTarget = (generation: number, known: Generations | undefined): boolean =>
  known !== undefined && generation >= known.targetGeneration && generation <= known.generation;
