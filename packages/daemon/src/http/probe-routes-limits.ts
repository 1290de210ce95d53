import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * Maximum number of sync calls with one token in a minute. Twenty probes that share the token use 240 of these calls to
 * wait for changes. The other calls are for probes that join and load many monitors.
 */
const maxSyncsAMinute = 1200;
/**
 * How many batches of results one probe may send. A probe gathers results for 100 ms, so without a backlog it sends
 * about ten batches a second. The rest is for its backlog.
 */
const ofProbe = { maxAtOnce: 300, maxPerSecond: 20 };
/**
 * How many batches of results all probes of a token may send together. This limit also stops a thief of the token who
 * invents names of probes, because it does not depend on the names.
 */
const ofToken = { maxAtOnce: 3000, maxPerSecond: 100 };
/** Maximum number of callers of a budget. Beyond it, the caller that called least recently is forgotten. */
const maxRemembered = 10_000;

export interface CallBudget {
  /** How many calls are allowed at once, after a time without calls. */
  maxAtOnce: number;
  /** How many further calls are allowed in each second. */
  maxPerSecond: number;
}

/**
 * Returns a function that limits the calls of each caller with a token bucket. The bucket refills gradually, so a
 * refused caller waits for a second and not for the rest of a minute. With such short waits, fresh results arrive in
 * time, even behind a backlog.
 */
export function createCallBudget(clock: Pick<Clock, 'monotonicMs'>, { maxAtOnce, maxPerSecond }: CallBudget) {
  const callMs = 1000 / maxPerSecond;
  /** For each caller: when its bucket will be full again. */
  const fullMonoMs = new Map<string, number>();
  /** Counts a call. Throws `rate_limited`, with the seconds to wait, if the budget of the caller is used up. */
  return (caller: string): void => {
    const nowMonoMs = clock.monotonicMs();
    const fullAgainMonoMs = Math.max(nowMonoMs, fullMonoMs.get(caller) ?? nowMonoMs) + callMs;
    const earlyMs = fullAgainMonoMs - nowMonoMs - maxAtOnce * callMs;
    if (earlyMs > 0) {
      const retryAfter = Math.ceil(earlyMs / 1000);
      throw new ServiceError(
        'rate_limited',
        `The limit is ${maxPerSecond} batches of results a second, after the first ${maxAtOnce}. Try again in ${retryAfter} s.`,
        { retryAfterSeconds: retryAfter },
      );
    }
    fullMonoMs.delete(caller);
    fullMonoMs.set(caller, fullAgainMonoMs);
    if (fullMonoMs.size > maxRemembered) fullMonoMs.delete(fullMonoMs.keys().next().value!);
  };
}

/** The limits on the calls of probes. Each function throws `rate_limited` beyond its limit. */
export interface ProbeLimits {
  /**
   * Counts a call with a token. The two kinds of calls are counted separately, so that a backlog of results never stops
   * a sync.
   */
  call: Record<'sync' | 'results', (token: string) => void>;
  /**
   * Counts a batch of results of one probe. Each probe has its own budget, so the backlog of one probe does not use up
   * the budget of another probe.
   */
  batch(token: string, probe: string): void;
}

export function createProbeLimits(clock: Clock): ProbeLimits {
  const countBatch = createCallBudget(clock, ofProbe);
  return {
    call: { sync: createRateLimit(clock, maxSyncsAMinute), results: createCallBudget(clock, ofToken) },
    batch: (token, probe) => countBatch(`${token} ${probe}`),
  };
}
