import { setTimeout as sleep } from 'node:timers/promises';
import { locked } from './failures.ts';

export interface Retry {
  /** Whether another attempt may succeed. */
  helps: (error: unknown) => boolean;
  /** Time after which no attempt begins. */
  windowMs: number;
  /** Time before the second attempt. Each later pause is twice as long, up to 50 ms or this time. */
  firstPauseMs: number;
}

const doubledUpToMs = 50;

/** Repeats `work` while other processes lock the store. Throws `unavailable` at the end of the window. */
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
