/** A skew of at least this time is a step: the clock was set, or the machine was suspended. */
export const stepMs = 100;
/** How long a step has to last before the timeline follows it. */
export const stableMs = 10_000;
/** By how much at most one look corrects a smaller skew, and the skew that is ignored. */
const slewMs = 1;
const noiseMs = 2;

/** A step that was seen and may pass again. Times are milliseconds. */
export interface SkewWatch {
  skew: number;
  /** When it was first seen, on the monotonic clock. */
  since: number;
}

/** How to correct the skew. */
export interface SkewStep {
  watch: SkewWatch | null;
  /** Milliseconds by which the timeline moves gently. */
  slew: number;
  /** Milliseconds by which it moves at once, with all stored times. */
  step: number;
}

/**
 * Decides by how far the wall clock is ahead of the timeline. A small skew is corrected gently. A large one changes
 * nothing until it has lasted, so that a clock that is wrong for some seconds is ignored.
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
