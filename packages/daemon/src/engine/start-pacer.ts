import { firstPace, nextPace, type StartPace } from '../core/start-rate.ts';
import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';

/**
 * A turn of the event loop begins checks for at most this time. Because the time is short, the turns are short too.
 * Also, fewer checks run at once, so each garbage collection has less to copy.
 */
const maxSliceMs = 1;
const waitMs = 1;

/** Delays the starts of checks, so that many starts at once do not delay requests. */
export interface StartPacer {
  /** Call this at the beginning of a turn of the event loop. */
  turned(): void;
  /** Resolves when the next check may begin. */
  ready(): Promise<void>;
  /** Records the cost of a check that begins. */
  begun(cost: number): void;
}

/**
 * Creates the pacer of starts. Its pace depends on elapsed time and on the lag of the event loop (core/start-rate.ts).
 * After `maxSliceMs` of starts it waits for the next turn of the event loop. `capacity` is the fraction of the pace
 * that may be used, from 0 to 1.
 */
export function createStartPacer(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  { capacity, stopping }: { capacity: () => number; stopping: AbortSignal },
): StartPacer {
  let pace: StartPace = firstPace;
  let countedMonoMs = clock.monotonicMs();
  let turnedMonoMs = countedMonoMs;
  const count = (lagMs: number | null) => {
    const nowMonoMs = clock.monotonicMs();
    pace = nextPace(pace, { passedMs: (nowMonoMs - countedMonoMs) * capacity(), lagMs });
    countedMonoMs = nowMonoMs;
  };
  return {
    turned() {
      turnedMonoMs = clock.monotonicMs();
    },
    async ready() {
      count(null);
      while (!stopping.aborted && (pace.credit <= 0 || clock.monotonicMs() - turnedMonoMs > maxSliceMs)) {
        const beganMonoMs = clock.monotonicMs();
        await wait(clock, waitMs, stopping);
        turnedMonoMs = clock.monotonicMs();
        count(Math.max(0, turnedMonoMs - beganMonoMs - waitMs));
      }
    },
    begun(cost) {
      pace = { ...pace, credit: pace.credit - cost };
    },
  };
}
