import { setTimeout } from 'node:timers/promises';

/** Waits for at least this time. Rejects when the signal is aborted. */
export const wait = (waitMs: number, signal: AbortSignal): Promise<void> =>
  // A timer ignores fractions of a millisecond, and may fire up to 1 ms early.
  setTimeout(Math.ceil(waitMs) + 1, undefined, { signal });
