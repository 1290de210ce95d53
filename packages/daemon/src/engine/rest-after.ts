import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';

const maxRestMs = 100;

/**
 * For work that consists of many short transactions: returns a function to call before each transaction. On SQLite, all
 * these transactions would otherwise run in one turn of the event loop. As soon as the work has taken `sliceMs`, the
 * function waits for as long as the work took, up to 100 ms. So pings and checks usually get at least half of the time.
 * The signal ends a wait early, so that the wait does not delay a stop.
 */
export function restAfter(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  sliceMs: number,
  stopping: AbortSignal,
): () => Promise<void> {
  let begunMonoMs = clock.monotonicMs();
  return async () => {
    const tookMs = clock.monotonicMs() - begunMonoMs;
    if (tookMs < sliceMs) return;
    await wait(clock, Math.min(tookMs, maxRestMs), stopping);
    begunMonoMs = clock.monotonicMs();
  };
}
