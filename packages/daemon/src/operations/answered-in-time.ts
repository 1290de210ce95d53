import type { Clock } from '../deps.ts';

/**
 * What `work` answers, or `late` where it does not answer within `limitMs` or fails. The work goes on, unheard: this is
 * for answers about how the daemon is, which must not wait for what may be broken.
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
