import { dayMs, hourMs } from './uptime.ts';

/** Milliseconds before the first retry; each following one waits twice as long. */
const first = 2000;
const longest = hourMs;
/** Milliseconds for which a message is tried. */
const patience = dayMs;

/** An attempt that failed. Times are epoch milliseconds. */
export interface FailedAttempt {
  now: number;
  /** When it was first tried: time in which the daemon was stopped, or a window held it back, is not held against it. */
  triedSince: number;
  /** How often it was tried, this attempt included. */
  attempts: number;
  /** Milliseconds for which the receiver asked to be left alone. */
  retryAfter: number | null;
  /** From 0 (inclusive) to 1 (exclusive): what failed together is not tried again together. */
  random: number;
}

/** When a message is tried again, in epoch milliseconds; null when it is given up, a day after its first attempt. */
export function nextAttemptAt({ now, triedSince, attempts, retryAfter, random }: FailedAttempt): number | null {
  const delay = Math.min(longest, first * 2 ** (attempts - 1)) * (1 - random / 4);
  const next = Math.round(now + Math.max(delay, askedWait(retryAfter)));
  return next > triedSince + patience ? null : next;
}

/** For how many milliseconds a receiver is left alone that asked for it: a day at most. */
export const askedWait = (retryAfter: number | null): number => Math.min(patience, retryAfter ?? 0);
