import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';

/**
 * How long results from the future wait. A wrong clock of a server is usually set within this time after its start, or
 * after the machine was suspended.
 */
export const maxHoldMs = 120_000;
/** After this time, a probe's results from the future may wait again. */
const forgetAfterMs = 3_600_000;
const retryAfterSeconds = 5;

/** Decides whether a probe's results from the future have to wait. */
export interface FutureResults {
  /**
   * Whether the results of this probe have to wait, beginning with the first result from the future. `hasFuture` says
   * whether there is such a result.
   */
  hold(probe: string, hasFuture: boolean): boolean;
}

/**
 * If a result seems to be from the future, the clock of the server or of the probe may be wrong. So at first the server
 * neither records nor acknowledges the result, and the probe sends the result again. Results of a probe that stay in
 * the future for two minutes are ignored, because a wrong clock of the probe must not block its other results. Each
 * node measures the two minutes itself, by its monotonic clock. So several nodes need not agree, and the first node
 * whose two minutes are over ends the wait. After that, results of the probe do not wait again until the probe sends
 * results without a wrong time, or until an hour has passed.
 */
export function createFutureResults({ monotonicMs }: Pick<Clock, 'monotonicMs'>): FutureResults {
  /** For each probe: when its first result from the future arrived. */
  const sinceMonoMs = new Map<string, number>();
  return {
    hold(probe, hasFuture) {
      if (!hasFuture) sinceMonoMs.delete(probe);
      if (!hasFuture) return false;
      const nowMonoMs = monotonicMs();
      for (const [name, firstMonoMs] of sinceMonoMs)
        if (nowMonoMs - firstMonoMs >= forgetAfterMs) sinceMonoMs.delete(name);
      const firstMonoMs = sinceMonoMs.get(probe) ?? nowMonoMs;
      sinceMonoMs.set(probe, firstMonoMs);
      return nowMonoMs - firstMonoMs < maxHoldMs;
    },
  };
}

export const fromFuture = () =>
  new ServiceError(
    'unavailable',
    'Results of the probe are from the future, because its clock or the clock of this server is wrong. Send them again.',
    { retryAfterSeconds },
  );
