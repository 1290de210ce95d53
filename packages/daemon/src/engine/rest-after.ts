import type { Clock } from '../deps.ts';
import { nextTurn } from '../wait.ts';

/**
 * Use it in loops of short transactions, which would all run in one turn of the event loop on SQLite. The returned
 * function waits for the next turn once `sliceMs` have passed since the last one.
 */
export function yieldAfter(clock: Pick<Clock, 'monotonicMs'>, sliceMs: number): () => Promise<void> {
  let begun = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - begun < sliceMs) return;
    await nextTurn();
    begun = clock.monotonicMs();
  };
}
