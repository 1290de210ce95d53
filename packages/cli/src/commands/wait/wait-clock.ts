import { setTimeout } from 'node:timers/promises';

/** The clock of `uptime wait` and `uptime watch`. */
export interface WaitClock {
  /** Milliseconds since any fixed point. */
  now: () => number;
  /** Rejects on an abort. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: WaitClock = {
  now: () => performance.now(),
  // A timer drops fractions and may fire up to 1 ms early. So the pause is rounded up, because it must not stop before
  // the end of the wait.
  pause: (milliseconds, signal) => setTimeout(Math.ceil(milliseconds) + 1, undefined, { signal }),
};
