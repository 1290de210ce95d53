import type { Clock } from '../deps.ts';

/**
 * The result of `work`, or `late` if it fails or takes longer than `limitMs`. The work continues, but its result is
 * ignored. Health reports use it, because they must not wait for broken parts.
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
