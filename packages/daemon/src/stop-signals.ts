import type { EventEmitter } from 'node:events';

/**
 * Under npm or npx, one Ctrl-C arrives as two signals: one from the terminal and one from npm. A second SIGINT within
 * this time counts as the same key press.
 */
const sameKeyMs = 500;

/**
 * Returns two promises. `stop` resolves at the first signal. `interrupt` resolves at a second SIGTERM or another
 * Ctrl-C, so that the stop no longer waits for messages.
 */
export function listenForSignals(program: Pick<NodeJS.Process, 'on'>): {
  stop: Promise<void>;
  interrupt: Promise<void>;
} {
  const [stop, interrupt] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let firstMonoMs: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMonoMs = performance.now();
    if (firstMonoMs === null) firstMonoMs = nowMonoMs;
    else if (signal === 'SIGTERM' || nowMonoMs - firstMonoMs > sameKeyMs) interrupt.resolve();
    stop.resolve();
  };
  program.on('SIGINT', onSignal);
  program.on('SIGTERM', onSignal);
  return { stop: stop.promise, interrupt: interrupt.promise };
}

/**
 * Returns an abort signal that is aborted at the first SIGINT or SIGTERM. Its reason is an error with the message
 * `words`. Later signals change nothing.
 */
export function abortedBySignals(program: Pick<EventEmitter, 'on'>, words: string): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) program.on(signal, () => stopping.abort(new Error(words)));
  return stopping.signal;
}
