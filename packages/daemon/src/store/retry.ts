import { setTimeout as sleep } from 'node:timers/promises';
import { locked } from './failures.ts';

export interface Retry {
  /** Whether another attempt may succeed. */
  helps: (error: unknown) => boolean;
  /** How long after the first failure another attempt may follow. */
  windowMs: number;
  /**
   * The pause before the second attempt. Each later pause is twice as long, until pauses reach 50 ms. If this pause is
   * longer than that, all pauses are equal.
   */
  firstPauseMs: number;
}

const doubledUpToMs = 50;

/**
 * Repeats `work` while it fails with errors for which another attempt `helps`. Throws `unavailable` at the end of the
 * window.
 */
export async function retry<T>(work: () => T | Promise<T>, { helps, windowMs, firstPauseMs }: Retry): Promise<T> {
  const longestPauseMs = Math.max(firstPauseMs, doubledUpToMs);
  let until: number | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!helps(error)) throw error;
      until ??= performance.now() + windowMs;
      if (performance.now() >= until) throw locked(error);
    }
    await sleep(pauseMs);
  }
}
