/**
 * The skew is how far the wall clock is ahead of the daemon's clock. A skew of at least this size means that the wall
 * clock was set, or that the machine was suspended.
 */
export const minStepMs = 100;
/** How long a skew of at least `minStepMs` has to last before the daemon's clock is corrected. */
export const stableMs = 10_000;
/** Correction of a skew below `minStepMs`, at each comparison of the clocks. Clocks are compared once a second. */
const smallSlewMs = 1;
/** A skew up to this size is ignored. */
const noiseMs = 2;
/**
 * Correction of a skew of at least `minStepMs`, at each comparison, while several daemons keep the same time. A step
 * could not move all their clocks at the same moment. But all daemons correct the same skew at this rate, so their
 * clocks stay together. The clocks are compared once a second, so a wait gets at most 2 % longer or shorter.
 */
export const sharedSlewMs = 20;

/** A large skew that is not corrected yet, because it may end by itself. */
export interface SkewWatch {
  skewMs: number;
  /** When the skew was first seen, on the monotonic clock. */
  sinceMonoMs: number;
}

/** How to correct the skew now. */
export interface SkewStep {
  watch: SkewWatch | null;
  /** By how much the daemon's clock moves gradually. */
  slewMs: number;
  /** By how much the daemon's clock moves at once. */
  stepMs: number;
}

/**
 * Decides how to correct a skew.
 * - A small skew is corrected gradually.
 * - A large skew changes nothing until it has lasted for `stableMs`. So a wall clock that is wrong for some seconds has
 *   no effect. After `stableMs`, the skew is corrected at once, or gradually if several daemons run.
 * - There is one exception. If another daemon already keeps the time of the wall clock, a large skew is corrected
 *   without this wait, and at once.
 */
export function judgeSkew(
  watch: SkewWatch | null,
  seen: { skewMs: number; atMonoMs: number; otherClocks?: OtherClocks },
): SkewStep {
  const { skewMs, atMonoMs, otherClocks = 'none' } = seen;
  if (Math.abs(skewMs) < minStepMs) {
    const slewMs = Math.abs(skewMs) <= noiseMs ? 0 : Math.sign(skewMs) * smallSlewMs;
    return { watch: null, slewMs, stepMs: 0 };
  }
  if (otherClocks === 'differ') return { watch: null, slewMs: 0, stepMs: Math.round(skewMs) };
  if (watch === null || Math.abs(skewMs - watch.skewMs) >= minStepMs)
    return { watch: { skewMs, sinceMonoMs: atMonoMs }, slewMs: 0, stepMs: 0 };
  if (atMonoMs - watch.sinceMonoMs < stableMs) return { watch, slewMs: 0, stepMs: 0 };
  if (otherClocks === 'none') return { watch, slewMs: 0, stepMs: Math.round(skewMs) };
  const slewMs = Math.sign(skewMs) * sharedSlewMs;
  return { watch: { ...watch, skewMs: skewMs - slewMs }, slewMs, stepMs: 0 };
}

/** How other daemons on the same database keep the time. */
export type OtherClocks =
  /** No other daemon runs. */
  | 'none'
  /** Other daemons run, and `differ` does not apply. */
  | 'agree'
  /** At least one other daemon keeps the time of the wall clock, and this daemon does not. */
  | 'differ';

/** A daemon counts as running if its last sign of life is less than this far from now. */
const runningMs = 10_000;
/**
 * While a daemon runs well, the age of its last sign of life lies between these limits. The age may be slightly
 * negative, because the clocks are not read at the same moment.
 */
const maxAgeMs = 1450;
const minAgeMs = -250;

/** Whether a sign of life is recent at the time `now`. */
export const isTimely = (sign: number, now: number): boolean => now - sign <= maxAgeMs && now - sign >= minAgeMs;

/** Returns how other daemons keep the time. Their latest signs of life (`signs`) show this. */
export function compareOtherClocks(signs: readonly number[], now: { own: number; wall: number }): OtherClocks {
  const isNear = (sign: number, time: number) => Math.abs(sign - time) < runningMs;
  const running = signs.filter((sign) => isNear(sign, now.own) || isNear(sign, now.wall));
  if (running.length === 0) return 'none';
  const keepsWall = (sign: number) => isTimely(sign, now.wall) && !isTimely(sign, now.own);
  return running.some(keepsWall) ? 'differ' : 'agree';
}
