import { hourMs } from '../core/uptime.ts';

/** The attempts to order a certificate for one name. */
export interface OrderAttempts {
  /** Times of the last attempts, oldest first. */
  at: number[];
  /** Failures in a row. */
  failures: number;
  /** Why the last attempt failed; null after a success. */
  error: string | null;
  /**
   * A running order waits until this time, because the authority asked it to wait. The time is stored, so that the wait
   * continues after a restart.
   */
  waitsUntil?: number;
}

/** Maximum number of orders for one name in any hour. Certificate authorities block clients that order more often. */
export const maxPerHour = 5;
/** The wait after the first failure. The wait doubles with each further failure, up to an hour. */
const firstWaitMs = 120_000;

export const noAttempts: OrderAttempts = { at: [], failures: 0, error: null };

export const addAttempt = ({ at, failures, error }: OrderAttempts, now: number): OrderAttempts => ({
  failures,
  error,
  at: [...at, now].slice(-maxPerHour),
});

/** Returns when the next order for the name may begin. */
export function nextAttemptAt({ at, failures, waitsUntil = -Infinity }: OrderAttempts): number {
  const waitMs = failures === 0 ? 0 : Math.min(hourMs, firstWaitMs * 2 ** (failures - 1));
  const last = at.at(-1) ?? -Infinity;
  const full = at.length === maxPerHour ? at[0]! + hourMs : -Infinity;
  return Math.max(last + waitMs, full, waitsUntil);
}

/** Whether the last attempt was at least an hour ago, so that the attempts affect no limit any more. */
export const areForgotten = ({ at }: OrderAttempts, now: number): boolean => (at.at(-1) ?? -Infinity) <= now - hourMs;
