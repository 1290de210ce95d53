// The clock, the log and random numbers, which code gets from its caller. docs/architecture.md lists the rooms that
// never use the system's clock or random numbers directly.

/** Gives the time for records and schedules, a monotonic time for durations, and timers. Tests replace the clock. */
export interface Clock {
  now(): number;
  /** Time on a clock that never jumps. */
  monotonicMs(): number;
  /** Calls `call` once after `ms`. The returned function cancels the timer. */
  after(ms: number, call: () => void): () => void;
}

/** A clock whose `now` does not jump with the wall clock. Only `slew` and `step` correct it. */
export interface SteadyClock extends Clock {
  /** The number of milliseconds that the wall clock is ahead of `now`. Negative if it is behind. */
  skewMs(): number;
  /**
   * Moves `now` by this many milliseconds. To move back, `now` stands still for that time, because it never decreases.
   */
  slew(byMs: number): void;
  /** Moves `now` by any number of whole milliseconds, at once. The caller moves the stored times by the same number. */
  step(byMs: number): void;
  /** The sum of all steps so far. A time that was read from `now` has to move by all steps after that read. */
  steppedMs(): number;
  /**
   * Corrects a time that was read from `now` and is not stored yet. If the time was read before the latest step,
   * returns it moved by that step. Call it only once for each time.
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
    // setTimeout fires at once if it gets more than 2^31 - 1 ms. No loop waits for that long (25 days).
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
