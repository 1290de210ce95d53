/** What is passed in: nothing in the daemon reads the clock, the dice or the log on its own. */

/** Wall time for records, a monotonic time for durations, and timers that a test can move. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number;
  /** Calls back after `ms`; the answer cancels it. */
  after(ms: number, call: () => void): () => void;
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

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    // setTimeout fires at once beyond 2^31 ms; no loop waits that long, so the bound never shows.
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
