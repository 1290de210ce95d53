import { nextTurn } from '../wait.ts';
import type { Clock } from '../deps.ts';

/** How long jobs run between two turns of the event loop. */
const sliceMs = 2;
/** At most this much of a step's time counts as work of its job. If a step took longer, the process itself stalled. */
const maxStepMs = 25;

interface Job {
  size: number;
  /** Does one step, and returns whether it was the last. */
  step(): boolean;
}

/** Runs a job whose steps take a few milliseconds at most. Returns the job's result, or throws its error. */
export type RunJob = <T>(size: number, steps: Iterator<undefined, T, undefined>) => Promise<T>;

/**
 * Runs jobs without blocking the event loop: one job at a time, the smallest waiting job first. A job that takes more
 * than `maxMs` of work fails with the code `ERR_TOO_MUCH_WORK`.
 */
export function createJobQueue(clock: Clock, maxMs: number): RunJob {
  const waiting: Job[] = [];
  let current: Job | null = null;

  async function work(): Promise<void> {
    while (current) {
      await nextTurn();
      const untilMonoMs = clock.monotonicMs() + sliceMs;
      while (current && clock.monotonicMs() < untilMonoMs) if (current.step()) current = smallest(waiting);
    }
  }

  return (size, steps) =>
    new Promise((resolve, reject) => {
      let spent = 0;
      const step = () => {
        const fromMonoMs = clock.monotonicMs();
        try {
          const { done, value } = steps.next();
          spent += Math.min(maxStepMs, clock.monotonicMs() - fromMonoMs);
          if (done) resolve(value);
          else if (spent <= maxMs) return false;
          else {
            steps.return?.();
            reject(Object.assign(new Error(`it takes more than ${maxMs} ms`), { code: 'ERR_TOO_MUCH_WORK' }));
          }
        } catch (error) {
          reject(error);
        }
        return true;
      };
      waiting.push({ size, step });
      if (current) return;
      current = smallest(waiting);
      void work();
    });
}

/** Removes and returns the job of the smallest size. */
function smallest(waiting: Job[]): Job | null {
  if (waiting.length === 0) return null;
  const best = waiting.reduce((least, job) => (job.size < least.size ? job : least));
  waiting.splice(waiting.indexOf(best), 1);
  return best;
}
