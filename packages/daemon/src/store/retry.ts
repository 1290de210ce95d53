import { systemClock } from '../deps.ts';
import { wait } from '../wait.ts';
import { locked } from './failures.ts';

export interface Retry {
  /** Whether another attempt may succeed. */
  helps: (error: unknown) => boolean;
  /** How long `work` is repeated after its first failure. */
  windowMs: number;
  /**
   * The wait before the second attempt. Each later wait is twice as long as the wait before it, up to 50 ms. If
   * `firstWaitMs` is longer than 50 ms, all waits have this length.
   */
  firstWaitMs: number;
}

const doubledUpToMs = 50;

/**
 * Runs `work`, and repeats it after errors for which another attempt `helps`. Throws `unavailable` if `work` still
 * fails at the end of the window. Throws any other error at once.
 */
export async function retry<T>(work: () => T | Promise<T>, { helps, windowMs, firstWaitMs }: Retry): Promise<T> {
  const maxWaitMs = Math.max(firstWaitMs, doubledUpToMs);
  let untilMonoMs: number | undefined;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!helps(error)) throw error;
      untilMonoMs ??= systemClock.monotonicMs() + windowMs;
      if (systemClock.monotonicMs() >= untilMonoMs) throw locked(error);
    }
    await wait(systemClock, waitMs);
  }
}
