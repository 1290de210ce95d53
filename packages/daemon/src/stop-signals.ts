import type { EventEmitter } from 'node:events';

/** Under npm or npx one Ctrl-C arrives twice, from the terminal and from npm. Only a later one shortens the stop. */
const sameKeyMs = 500;

/** The first signal stops the daemon. A second SIGTERM, or a later Ctrl-C, shortens the stop. */
export function listenForSignals(program: Pick<NodeJS.Process, 'on'>): {
  stop: Promise<void>;
  interrupt: Promise<void>;
} {
  const [stop, interrupt] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let first: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (first === null) first = now;
    else if (signal === 'SIGTERM' || now - first > sameKeyMs) interrupt.resolve();
    stop.resolve();
  };
  program.on('SIGINT', onSignal);
  program.on('SIGTERM', onSignal);
  return { stop: stop.promise, interrupt: interrupt.promise };
}

/**
 * Aborts at the first signal, with an error whose message is `words`. Under npm a second signal follows, which changes
 * nothing.
 */
export function abortedBySignals(program: Pick<EventEmitter, 'on'>, words: string): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) program.on(signal, () => stopping.abort(new Error(words)));
  return stopping.signal;
}
