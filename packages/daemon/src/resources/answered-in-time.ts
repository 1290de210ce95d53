import type { Clock } from '../deps.ts';

/**
 * Resolves with the result of `work`. If the work fails or takes longer than `limitMs`, resolves with the result of
 * `late` instead. Work that takes too long continues, but its result is ignored. The callers use this function because
 * they must not wait for work that hangs.
 */
export function answeredInTime<T>(clock: Pick<Clock, 'after'>, work: Promise<T>, limitMs: number, late: () => T) {
  return new Promise<T>((resolve) => {
    const cancel = clock.after(limitMs, () => resolve(late()));
    const end = (answer: T) => {
      cancel();
      resolve(answer);
    };
    work.then(end, () => end(late()));
  });
}
