/** A skew at least this large, in milliseconds, is a step: somebody set the clock, or the machine was suspended. */
export const stepMs = 100;
/** Milliseconds for which a step has to last before the timeline follows it. */
export const stableMs = 10_000;
/** Most milliseconds by which one look corrects a smaller skew, and the skew that is left alone. */
const slewMs = 1;
const noiseMs = 2;

/** A step that has been seen and may pass again. Times are milliseconds. */
export interface SkewWatch {
  skew: number;
  /** When it was first seen, on the monotonic clock. */
  since: number;
}

/** What is to be done about the skew. */
export interface SkewStep {
  watch: SkewWatch | null;
  /** Milliseconds by which the timeline is moved gently. */
  slew: number;
  /** Milliseconds by which it is moved at once, with all stored times. */
  step: number;
}

/**
 * Judges by how much the wall clock is ahead of the timeline. A small skew is corrected gently. A large one changes
 * nothing until it has lasted: a clock that is wrong for some seconds is ignored.
 */
export function judgeSkew(watch: SkewWatch | null, seen: { skew: number; at: number }): SkewStep {
  const { skew, at } = seen;
  if (Math.abs(skew) < stepMs) {
    const slew = Math.abs(skew) <= noiseMs ? 0 : Math.sign(skew) * slewMs;
    return { watch: null, slew, step: 0 };
  }
  if (watch === null || Math.abs(skew - watch.skew) >= stepMs) return { watch: { skew, since: at }, slew: 0, step: 0 };
  return { watch, slew: 0, step: at - watch.since >= stableMs ? Math.round(skew) : 0 };
}
