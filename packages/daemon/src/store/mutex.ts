/** Admits one at a time, in order of arrival. */
export interface Mutex {
  /** Resolves to the function that admits the next one. Rejects with `late()` after `timeout` milliseconds. */
  acquire(timeoutMs: number, late: () => Error): Promise<() => void>;
}

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let taken = false;

  const createRelease = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    };
  };

  return {
    async acquire(timeoutMs, late) {
      if (!taken) {
        taken = true;
        return createRelease();
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(late());
        }, timeoutMs);
        waiting.push(enter);
      });
      return createRelease();
    },
  };
}
