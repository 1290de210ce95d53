import { dayMs, hourMs } from './uptime.ts';

/** Milliseconds before the first retry; each following one waits twice as long. */
const first = 2000;
const longest = hourMs;
/** Milliseconds after which a message is no news any more. */
const patience = dayMs;
/** So often it is tried even if it is older: the daemon may have been stopped meanwhile. */
const leastAttempts = 5;

/** An attempt that failed. Times are epoch milliseconds. */
export interface FailedAttempt {
  now: number;
  /** When the message was made. */
  createdAt: number;
  /** How often it was tried, this attempt included. */
  attempts: number;
  /** Milliseconds for which the receiver asked to be left alone. */
  retryAfter: number | null;
  /** From 0 (inclusive) to 1 (exclusive): what failed together is not tried again together. */
  random: number;
}

/** When a message is tried again, in epoch milliseconds; null when it is given up, a day after it was made. */
export function nextAttemptAt({ now, createdAt, attempts, retryAfter, random }: FailedAttempt): number | null {
  const delay = Math.min(longest, first * 2 ** (attempts - 1)) * (1 - random / 4);
  const next = Math.round(now + Math.max(delay, askedWait(retryAfter)));
  return next > createdAt + patience && attempts >= leastAttempts ? null : next;
}

/** For how many milliseconds a receiver is left alone that asked for it: a day at most. */
export const askedWait = (retryAfter: number | null): number => Math.min(patience, retryAfter ?? 0);
