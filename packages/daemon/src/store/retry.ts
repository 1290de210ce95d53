import { systemClock } from '../deps.ts';
import { wait } from '../wait.ts';
import { locked } from './failures.ts';

export interface Retry {
  /** Whether another attempt may succeed. */
  helps: (error: unknown) => boolean;
  /** How long `work` is repeated after its first failure. */
  windowMs: number;
  /**
   * The pause before the second attempt. Each later pause is twice as long as the pause before it, up to 50 ms. If
   * `firstPauseMs` is longer than 50 ms, all pauses have this length.
   */
  firstPauseMs: number;
}

const doubledUpToMs = 50;

/**
 * Runs `work`, and repeats it after errors for which another attempt `helps`. Throws `unavailable` if `work` still
 * fails at the end of the window. Throws any other error at once.
 */
export async function retry<T>(work: () => T | Promise<T>, { helps, windowMs, firstPauseMs }: Retry): Promise<T> {
  const maxWaitMs = Math.max(firstPauseMs, doubledUpToMs);
  let untilMonoMs: number | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!helps(error)) throw error;
      untilMonoMs ??= systemClock.monotonicMs() + windowMs;
      if (systemClock.monotonicMs() >= untilMonoMs) throw locked(error);
    }
    await wait(systemClock, pauseMs);
  }
}
