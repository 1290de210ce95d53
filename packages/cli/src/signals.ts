import type { Context } from './context.ts';

/** The methods of the process that this file needs. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** Signals that ask a program to end. They stop the run, unless a listener is set. */
const endings: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** Other signals that are passed on to a job. They are handled only while a listener is set. */
const others: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'];

/**
 * Handles the signals of a process. The first signal aborts `signal`, and a later one calls `exit`. While a listener is
 * set, signals go only to the listener. The returned `close` ends the handling.
 */
export function takeSignals(source: SignalSource, exit: () => void) {
  const stop = new AbortController();
  const listeners = new Set<(signal: NodeJS.Signals) => void>();
  // Under npx, one Ctrl-C arrives twice, from the terminal and from npm. So a signal within 300 ms of the first one is
  // ignored.
  let firstMonoMs = Infinity;
  const take = (signal: NodeJS.Signals) => {
    if (listeners.size > 0) return listeners.forEach((listener) => listener(signal));
    if (!endings.includes(signal)) return;
    if (performance.now() - firstMonoMs > 300) exit();
    firstMonoMs = Math.min(firstMonoMs, performance.now());
    stop.abort();
  };
  const onSignal: Context['onSignal'] = (listener) => {
    listeners.add(listener);
    for (const signal of others) source.on(signal, take);
    return () => {
      listeners.delete(listener);
      for (const signal of others) source.off(signal, take);
    };
  };
  for (const signal of endings) source.on(signal, take);
  return {
    signal: stop.signal,
    onSignal,
    close: () => {
      for (const signal of endings) source.off(signal, take);
    },
  };
}
