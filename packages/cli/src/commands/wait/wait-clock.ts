import { wait } from '../../wait.ts';

/** The clock of `uptime wait` and `uptime watch`. Tests use a fake one. */
export interface WaitClock {
  /** Returns milliseconds since a fixed point in time. */
  monotonicMs: () => number;
  /** Waits for at least this time. Rejects when the signal is aborted. */
  wait: (waitMs: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: WaitClock = { monotonicMs: () => performance.now(), wait };
