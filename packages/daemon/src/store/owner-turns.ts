import { createMutex, type Mutex } from './mutex.ts';

/** Admits one write of each owner at a time. */
export interface OwnerTurns {
  /**
   * Waits until the write may begin. Resolves with a function that ends the turn of the write. Rejects with `late()`
   * after `timeoutMs`.
   */
  begin(owner: string, timeoutMs: number, late: () => Error): Promise<() => void>;
}

export function createOwnerTurns(): OwnerTurns {
  const turns = new Map<string, { mutex: Mutex; writes: number }>();
  return {
    async begin(owner, timeoutMs, late) {
      const own = turns.get(owner) ?? { mutex: createMutex(), writes: 0 };
      turns.set(owner, own);
      own.writes++;
      const leave = () => {
        if (--own.writes === 0) turns.delete(owner);
      };
      try {
        const release = await own.mutex.acquire(timeoutMs, late);
        return () => {
          release();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
