import { once } from 'node:events';
import { nextTurn } from '../wait.ts';
import type { Clock } from '../deps.ts';

/** Tracks the work of requests. When a client disconnects, its work may continue, but Fastify no longer tracks it. */
export interface WorkUnderWay {
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all work and what follows from it is done, after at most `timeoutMs`. */
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
        // Admitted requests may reach their handlers only now.
        await nextTurn();
      }
      cancel();
    },
  };
}
