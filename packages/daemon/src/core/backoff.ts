import { dayMs, hourMs } from './uptime.ts';

const firstRetryMs = 2000;
const longestRetryMs = hourMs;
/** A message is given up this long after its first attempt. */
const giveUpAfterMs = dayMs;
/**
 * A refused message is retried once, after this time. A temporary fault between this server and the provider may have
 * caused the refusal.
 */
const refusalRetryMs = 60_000;
/** The longest wait that a provider may ask for. A longer wait is cut to it, because alerts must not be very late. */
export const longestLimitMs = 15 * 60_000;
/** The wait after the first rate limit that names no time. It grows by half with each further limit in a row. */
const firstLimitMs = 1000;
const longestUnnamedLimitMs = 60_000;
/** For this long after a rate limit, a channel gets one message at a time. */
const cautiousAfterLimitMs = 60_000;

/** How an attempt failed: see `Sent` in channels/channel.ts. */
export interface Failure {
  /** False means that the message was refused. */
  retry: boolean;
  /** Time that the provider asked to wait. */
  retryAfterMs: number | null;
  status: number | null;
}

export type FailureKind = 'failed' | 'refused' | 'rate_limited';

/**
 * Returns how an attempt failed. A rate limit is a kind of its own, because it concerns the channel and not the
 * message.
 */
export function failureKind({ retry, retryAfterMs, status }: Failure): FailureKind {
  if (!retry) return 'refused';
  return retryAfterMs !== null || status === 429 ? 'rate_limited' : 'failed';
}

/** The counts of a message's attempts. */
export interface Tries {
  /** Failures so far. The back-off grows with them. */
  attempts: number;
  /** Refusals in a row. */
  refusals: number;
}

/** An attempt that failed. Times are epoch milliseconds. */
export interface FailedAttempt extends Tries {
  kind: FailureKind;
  now: number;
  /**
   * When the message was first tried. Time in which the daemon was stopped, or in which a window held the message, does
   * not count.
   */
  triedSince: number;
  /**
   * A random number from 0 (inclusive) to 1 (exclusive). It spreads the retries of messages that failed together.
   */
  random: number;
}

/** When a message is retried, in epoch milliseconds (null: never), and its new counts. */
export function afterFailure(failed: FailedAttempt): Tries & { nextAt: number | null } {
  const { kind, now, triedSince, random } = failed;
  const tries = { attempts: failed.attempts + 1, refusals: kind === 'refused' ? failed.refusals + 1 : 0 };
  const unlessTooLate = (at: number) => (at > triedSince + giveUpAfterMs ? null : at);
  // The message stays due. Its channel waits as `afterRateLimit` says, and then sends the message.
  if (kind === 'rate_limited')
    return { attempts: failed.attempts, refusals: failed.refusals, nextAt: unlessTooLate(now) };
  if (kind === 'refused') return { ...tries, nextAt: tries.refusals > 1 ? null : now + refusalRetryMs };
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** (tries.attempts - 1)) * (1 - random / 4);
  return { ...tries, nextAt: unlessTooLate(Math.round(now + delay)) };
}

/** Until when a channel gets no messages, and how often in a row it was limited. Times are epoch milliseconds. */
export interface ChannelLimit {
  waitUntil: number;
  limits: number;
}

/** The effect of a rate limit on the channel. An attempt that began before the limit was known adds nothing to it. */
export function afterRateLimit(
  { waitUntil, limits }: ChannelLimit,
  { begunAt, now, retryAfterMs }: { begunAt: number; now: number; retryAfterMs: number | null },
): ChannelLimit {
  const known = begunAt < waitUntil;
  const unnamed = known ? 0 : Math.min(longestUnnamedLimitMs, firstLimitMs * 1.5 ** limits);
  const waitMs = retryAfterMs === null ? unnamed : Math.min(longestLimitMs, retryAfterMs);
  return { waitUntil: Math.max(waitUntil, Math.ceil(now + waitMs)), limits: known ? limits : limits + 1 };
}

/** Whether a channel gets one message at a time, because several at once would only hit the limit again. */
export const isCautious = (waitUntil: number, now: number): boolean => now < waitUntil + cautiousAfterLimitMs;

/**
 * When a channel works again, its failed messages are retried, but each at the earliest this long after its last
 * attempt. The time grows with the attempts. Otherwise a message that always fails would be sent again after every
 * success.
 */
export const revivalGapMs = (attempts: number): number => Math.min(attempts, 60) * 1000;

/** After this many failures of a message, a later alert in its lane no longer waits for it. */
export const overtakenAfterFailures = 4;
