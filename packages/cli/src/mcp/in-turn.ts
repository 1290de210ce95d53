/** Runs calls one after the other, so that many calls of a client do not become many requests at once. */
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
      // The caller gets the failure. The next call runs in any case.
      last = done.catch(() => undefined);
      return done;
    },
    async idle() {
      for (let seen: unknown = null; seen !== last; await seen) seen = last;
    },
  };
}
