// Dependencies that code gets from its caller. Only a few places use the system's clock, random numbers or log
// directly.

/** A time for records and schedules, a monotonic time for durations, and timers. Tests replace them. */
export interface Clock {
  now(): number;
  /** Time on a clock that never jumps. */
  monotonicMs(): number;
  /** Calls back after `ms`. The returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** A clock whose `now` does not jump with the wall clock. It moves only when `slew` or `step` is called. */
export interface SteadyClock extends Clock {
  /** By how much the wall clock is ahead of `now`. */
  skewMs(): number;
  /** Moves `now` gently, by a few milliseconds at most. `now` may stand still but never goes back. */
  slew(byMs: number): void;
  /** Moves `now` at once, by whole milliseconds. The caller moves the stored times as well. */
  step(byMs: number): void;
  /** The sum of all steps so far. A time that was read earlier has to move by the steps since then. */
  steppedMs(): number;
  /**
   * For a time that was read from `now` and is not stored yet. If it was read before the latest step, it is returned
   * moved by that step. Call it once for each time.
   */
  renew(at: number): number;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

export interface Deps {
  clock: Clock;
  log: Logger;
  random: Random;
}

/** The machine's own clock. Its `now` jumps when the system time is set. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, call) {
    // Beyond 2^31 ms setTimeout fires at once. No loop waits that long, so the bound is never reached.
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
