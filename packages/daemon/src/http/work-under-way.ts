import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../deps.ts';

/** Work for requests, which goes on where its client has gone: of that the server knows no more. */
export interface WorkUnderWay {
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all is done, also what follows from it; after `patience` milliseconds at the latest. */
  settled(patience: number): Promise<void>;
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
    async settled(patience) {
      const given = new AbortController();
      const late = once(given.signal, 'abort');
      const cancel = clock.after(patience, () => given.abort());
      while (works.size > 0 && !given.signal.aborted) {
        await Promise.race([Promise.allSettled(works), late]);
        // Whoever was admitted is only now given to its handler.
        await nextTurn();
      }
      cancel();
    },
  };
}
