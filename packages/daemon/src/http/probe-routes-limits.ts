import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * Maximum number of sync calls with one token in a minute. Twenty probes that share the token need 240 calls to wait
 * for changes. The other calls are for probes that join and load many monitors.
 */
const syncsAMinute = 1200;
/**
 * Batches of results that one probe may send at once, and in each further second. A probe gathers results for 100 ms,
 * so without a backlog it sends about ten batches a second. The rest is for its backlog.
 */
const ofProbe = { atOnce: 300, aSecond: 20 };
/**
 * The same for all probes of a token. It is counted before the body is read, and also bounds a stolen token that
 * invents names of probes.
 */
const ofToken = { atOnce: 3000, aSecond: 100 };
/** Maximum number of callers of a budget. Beyond it, the caller that called least recently is forgotten. */
const remembered = 10_000;

export interface CallBudget {
  /** How many calls are allowed at once, after a time without calls. */
  atOnce: number;
  /** How many further calls are allowed in each second. */
  aSecond: number;
}

/**
 * Returns a token bucket for each caller. It refills gradually, so a refused caller waits for a second and not for the
 * rest of a minute. Then fresh results arrive in time, even behind a backlog.
 */
export function createCallBudget(clock: Pick<Clock, 'monotonicMs'>, { atOnce, aSecond }: CallBudget) {
  const callMs = 1000 / aSecond;
  /** For each caller: when its bucket will be full again. */
  const fullMonoMs = new Map<string, number>();
  /** Counts a call. Throws `rate_limited`, with the seconds to wait, if the budget of the caller is used up. */
  return (caller: string): void => {
    const nowMonoMs = clock.monotonicMs();
    const fullAgainMonoMs = Math.max(nowMonoMs, fullMonoMs.get(caller) ?? nowMonoMs) + callMs;
    const earlyMs = fullAgainMonoMs - nowMonoMs - atOnce * callMs;
    if (earlyMs > 0) {
      const retryAfter = Math.ceil(earlyMs / 1000);
      throw new ServiceError(
        'rate_limited',
        `The limit is ${aSecond} batches of results a second, after the first ${atOnce}. Try again in ${retryAfter} s.`,
        { retryAfterSeconds: retryAfter },
      );
    }
    fullMonoMs.delete(caller);
    fullMonoMs.set(caller, fullAgainMonoMs);
    if (fullMonoMs.size > remembered) fullMonoMs.delete(fullMonoMs.keys().next().value!);
  };
}

/** The limits on the calls of probes. Each function throws `rate_limited` beyond its limit. */
export interface ProbeLimits {
  /** Counts a call of a token. The two calls count separately, so that a backlog of results never stops a sync. */
  call: Record<'sync' | 'results', (token: string) => void>;
  /** Counts a batch of results of one probe. So the backlog of one probe does not use up the budget of another. */
  batch(token: string, probe: string): void;
}

export function createProbeLimits(clock: Clock): ProbeLimits {
  const countBatch = createCallBudget(clock, ofProbe);
  return {
    call: { sync: createRateLimit(clock, syncsAMinute), results: createCallBudget(clock, ofToken) },
    batch: (token, probe) => countBatch(`${token} ${probe}`),
  };
}
