import { once } from 'node:events';
import { nextTurn } from '../wait.ts';
import type { Clock } from '../deps.ts';

/**
 * Tracks the work of requests until the work ends. Fastify stops tracking a request when its client disconnects,
 * although the work of the request may continue.
 */
export interface WorkUnderWay {
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all work is done, or after `timeoutMs`. Also waits for work that is added during the wait. */
  settled(timeoutMs: number): Promise<void>;
}

export function createWorkUnderWay(clock: Clock): WorkUnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    add(work) {
      works.add(work);
      const remove = () => works.delete(work);
      work.then(remove, remove);
      return work;
    },
    async settled(timeoutMs) {
      const given = new AbortController();
      const late = once(given.signal, 'abort');
      const cancel = clock.after(timeoutMs, () => given.abort());
      while (works.size > 0 && !given.signal.aborted) {
        await Promise.race([Promise.allSettled(works), late]);
        // If a request has just been admitted, its handler may add more work later in this turn.
        await nextTurn();
      }
      cancel();
    },
  };
}
