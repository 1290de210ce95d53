import type { Logger } from '../deps.ts';

/** Returns a function that does the same as `fault`, and also logs when a fault begins, changes or ends. */
export function createLoggedFault(log: Pick<Logger, 'warn' | 'info'>, fault: () => string | null): () => string | null {
  let logged: string | null = null;
  return () => {
    const current = fault();
    if (current !== null && current !== logged) log.warn({ fault: current }, 'this probe has a fault');
    else if (current === null && logged !== null) log.info({}, 'the fault of this probe has ended');
    logged = current;
    return current;
  };
}
