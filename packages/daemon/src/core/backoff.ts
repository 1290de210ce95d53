import { dayMs, hourMs } from './uptime.ts';

const firstRetryMs = 2000;
const longestRetryMs = hourMs;
/** How long a message is tried. */
const giveUpAfterMs = dayMs;
/** A refusal may be a passing fault of what stands before the provider, so that it is tested once more. */
const refusalRetryMs = 60_000;
/** A channel is left alone no longer than this, whatever its provider asks for: what it is sent are alarms. */
export const longestLimitMs = 15 * 60_000;
/** Where a provider limits the rate and names no time, the wait begins with this and grows by half each time. */
const firstLimitMs = 1000;
const longestUnnamedLimitMs = 60_000;
/** For so long after a rate limit, a channel gets one message at a time. */
const cautiousAfterLimitMs = 60_000;

/** How an attempt failed: see `Sent` in channels/channel.ts. */
export interface Failure {
  /** False: it was refused. */
  retry: boolean;
  /** Milliseconds for which the provider asked to be left alone. */
  retryAfter: number | null;
  status: number | null;
}

export type FailureKind = 'failed' | 'refused' | 'rate_limited';

/** A rate limit is a matter of the channel: it says nothing against the message. */
export function failureKind({ retry, retryAfter, status }: Failure): FailureKind {
  if (!retry) return 'refused';
  return retryAfter !== null || status === 429 ? 'rate_limited' : 'failed';
}

/** What is counted of a message's attempts. */
export interface Tries {
  /** Failures so far: the back-off grows with them. */
  attempts: number;
  /** Refusals in a row. */
  refusals: number;
}

/** An attempt that failed. Times are epoch milliseconds. */
export interface FailedAttempt extends Tries {
  kind: FailureKind;
  now: number;
  /** When it was first tried: time in which the daemon was stopped, or a window held it back, is not held against it. */
  triedSince: number;
  /** From 0 (inclusive) to 1 (exclusive): what failed together is not tried again together. */
  random: number;
}

/** When a message is tried again, in epoch milliseconds (null: never), and what is counted from now on. */
export function afterFailure(failed: FailedAttempt): Tries & { nextAt: number | null } {
  const { kind, now, triedSince, random } = failed;
  const tries = { attempts: failed.attempts + 1, refusals: kind === 'refused' ? failed.refusals + 1 : 0 };
  const unlessTooLate = (at: number) => (at > triedSince + giveUpAfterMs ? null : at);
  // It is due as soon as its channel is.
  if (kind === 'rate_limited')
    return { attempts: failed.attempts, refusals: failed.refusals, nextAt: unlessTooLate(now) };
  if (kind === 'refused') return { ...tries, nextAt: tries.refusals > 1 ? null : now + refusalRetryMs };
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** (tries.attempts - 1)) * (1 - random / 4);
  return { ...tries, nextAt: unlessTooLate(Math.round(now + delay)) };
}

/** Until when a channel is left alone, and how often in a row it was limited. Times are epoch milliseconds. */
export interface ChannelLimit {
  waitUntil: number;
  limits: number;
}

/** What a rate limit means for the channel. An attempt that began before the limit was known adds nothing to it. */
export function afterRateLimit(
  { waitUntil, limits }: ChannelLimit,
  { begun, now, retryAfterMs }: { begun: number; now: number; retryAfterMs: number | null },
): ChannelLimit {
  const known = begun < waitUntil;
  const unnamed = known ? 0 : Math.min(longestUnnamedLimitMs, firstLimitMs * 1.5 ** limits);
  const waitMs = retryAfterMs === null ? unnamed : Math.min(longestLimitMs, retryAfterMs);
  return { waitUntil: Math.max(waitUntil, Math.ceil(now + waitMs)), limits: known ? limits : limits + 1 };
}

/** Whether a channel gets one message at a time: many at once would only meet the limit again. */
export const isCautious = (waitUntil: number, now: number): boolean => now < waitUntil + cautiousAfterLimitMs;

/**
 * How long after its last attempt a message may be tried again because the channel works, in milliseconds. It grows with
 * the attempts, so that a message that fails by its own fault is not sent with every other that arrives.
 */
export const revivalGapMs = (attempts: number): number => Math.min(attempts, 60) * 1000;

/** After so many failures of a message, those of a later alert in its lane need not wait for it. */
export const lettingPassAfter = 4;
