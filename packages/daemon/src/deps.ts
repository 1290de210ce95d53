/** What is passed in: nothing in the daemon reads the clock, the dice or the log on its own. */

/** A time for records and schedules, a monotonic time for durations, and timers that a test can move. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number;
  /** Calls back after `ms`; the answer cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** A clock whose `now` does not jump with the wall clock: it steps only when it is told to. */
export interface SteadyClock extends Clock {
  /** By how many milliseconds the wall clock is ahead of `now`. */
  skew(): number;
  /** Moves `now` gently, by a few milliseconds at most. It stands still rather than going back. */
  slew(byMs: number): void;
  /** Moves `now` at once, by whole milliseconds. Whoever calls this moves the stored times as well. */
  step(byMs: number): void;
  /** Milliseconds by which it has stepped so far. What was read earlier is now later by as much as this has grown. */
  stepped(): number;
  /** An instant that was read from `now` and is still to be stored, by the latest step. Ask once for each. */
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

/** The machine's own clock: its `now` jumps when somebody sets the time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    // setTimeout fires at once beyond 2^31 ms; no loop waits that long, so the bound never shows.
    const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
