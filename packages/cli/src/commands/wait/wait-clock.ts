import { setTimeout } from 'node:timers/promises';

/** The clock of `uptime wait` and `uptime watch`. Tests use a fake one. */
export interface WaitClock {
  /** Returns milliseconds since a fixed point in time. */
  now: () => number;
  /** Waits for a time. Rejects when the signal is aborted. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: WaitClock = {
  now: () => performance.now(),
  // The pause is rounded up, because it must not end before the wait does. A timer ignores fractions of a millisecond,
  // and may fire up to 1 ms early.
  pause: (milliseconds, signal) => setTimeout(Math.ceil(milliseconds) + 1, undefined, { signal }),
};
