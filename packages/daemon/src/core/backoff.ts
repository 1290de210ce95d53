import { dayMs, hourMs } from './uptime.ts';

const firstRetryMs = 2000;
const maxRetryMs = hourMs;
/** A message is given up this long after its first attempt. */
const giveUpAfterMs = dayMs;
/**
 * A refused message is retried once, after this time. A temporary fault between this server and the provider may have
 * caused the refusal.
 */
const refusalRetryMs = 60_000;
/**
 * The longest wait that a provider may ask for. A longer wait is shortened to this, because alerts must not be very
 * late.
 */
export const maxLimitMs = 15 * 60_000;
/**
 * The wait after the first rate limit, if the provider names no time. Each further rate limit in a row makes the wait
 * 1.5 times as long.
 */
const firstLimitMs = 1000;
const maxUnnamedLimitMs = 60_000;
/** For this long after a rate limit, a channel gets one message at a time. */
const cautiousAfterLimitMs = 60_000;

/** How an attempt failed: see `Sent` in channels/channel.ts. */
export interface Failure {
  /** Whether another attempt may succeed. If not, the provider refused the message. */
  retry: boolean;
  /** Time that the provider asked this server to wait. */
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

/** How often attempts to send a message have failed. */
export interface Tries {
  /** Failures so far. The time until the next attempt grows with this number. */
  attempts: number;
  /** Refusals in a row. */
  refusals: number;
}

/** An attempt that failed. */
export interface FailedAttempt extends Tries {
  kind: FailureKind;
  now: number;
  /**
   * When the first attempt to send the message began. Attempts before a delay by a message limit, or before a change of
   * the channel's config, do not count.
   */
  triedSince: number;
  /**
   * A random number from 0 (inclusive) to 1 (exclusive). It spreads the retries of messages that failed together.
   */
  random: number;
}

/** Returns when a failed message is retried, in epoch milliseconds (null: never), and its new counts. */
export function afterFailure(failed: FailedAttempt): Tries & { nextAt: number | null } {
  const { kind, now, triedSince, random } = failed;
  const tries = { attempts: failed.attempts + 1, refusals: kind === 'refused' ? failed.refusals + 1 : 0 };
  const unlessTooLate = (at: number) => (at > triedSince + giveUpAfterMs ? null : at);
  // The message stays due. Its channel waits as `afterRateLimit` says, and then sends the message.
  if (kind === 'rate_limited')
    return { attempts: failed.attempts, refusals: failed.refusals, nextAt: unlessTooLate(now) };
  if (kind === 'refused') return { ...tries, nextAt: tries.refusals > 1 ? null : now + refusalRetryMs };
  const delay = Math.min(maxRetryMs, firstRetryMs * 2 ** (tries.attempts - 1)) * (1 - random / 4);
  return { ...tries, nextAt: unlessTooLate(Math.round(now + delay)) };
}

/** How a channel waits after a rate limit. */
export interface ChannelLimit {
  /** The channel gets no messages before this time (epoch milliseconds). */
  waitUntil: number;
  /** How many rate limits the channel has met in a row. */
  limits: number;
}

/**
 * Returns the wait and the count of a channel after an attempt met a rate limit. If the attempt began before the
 * present wait was over, it met a limit that was already counted. Then the count stays, and the wait grows only if the
 * provider names a later time.
 */
export function afterRateLimit(
  { waitUntil, limits }: ChannelLimit,
  { begunAt, now, retryAfterMs }: { begunAt: number; now: number; retryAfterMs: number | null },
): ChannelLimit {
  const known = begunAt < waitUntil;
  const unnamed = known ? 0 : Math.min(maxUnnamedLimitMs, firstLimitMs * 1.5 ** limits);
  const waitMs = retryAfterMs === null ? unnamed : Math.min(maxLimitMs, retryAfterMs);
  return { waitUntil: Math.max(waitUntil, Math.ceil(now + waitMs)), limits: known ? limits : limits + 1 };
}

/**
 * Whether a channel still gets only one message at a time after a rate limit. Several messages at once would only meet
 * the limit again.
 */
export const isCautious = (waitUntil: number, now: number): boolean => now < waitUntil + cautiousAfterLimitMs;

/**
 * A failed message is retried early when its channel works again. Returns how soon after the last attempt this may
 * happen. The time grows with the number of attempts. Otherwise a message that always fails would be sent again after
 * every success of the channel.
 */
export const revivalGapMs = (attempts: number): number => Math.min(attempts, 60) * 1000;

/**
 * After a message has failed this often, the latest alert in its lane may overtake it. Some channels keep the order in
 * any case: see `letPass` in lane.ts.
 */
export const overtakenAfterFailures = 4;
