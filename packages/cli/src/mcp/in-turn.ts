/** Runs calls one after the other, so that many calls of a client do not become many requests at the same time. */
export interface Turns {
  take: <R>(work: () => Promise<R>) => Promise<R>;
  /** Resolves when no call is running or waiting. */
  idle: () => Promise<void>;
}

export function inTurn(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const done = last.then(work);
      // A failure is returned only to the caller. The next call runs in any case.
      last = done.catch(() => undefined);
      return done;
    },
    async idle() {
      for (let seen: unknown = null; seen !== last; await seen) seen = last;
    },
  };
}
