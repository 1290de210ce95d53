import type { Clock } from '../deps.ts';
import { nextTurn } from '../wait.ts';

/**
 * For loops of short transactions, which on SQLite would all run in one turn of the event loop. The returned function waits
 * for the next turn once `sliceMs` have passed since the last one.
 */
export function yieldAfter(clock: Pick<Clock, 'monotonicMs'>, sliceMs: number): () => Promise<void> {
  let begun = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - begun < sliceMs) return;
    await nextTurn();
    begun = clock.monotonicMs();
  };
}
