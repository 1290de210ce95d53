import type { Context } from './context.ts';

/** As much of the process as this needs. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** What asks a program to end. */
const endings: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** What else a program that runs another passes on. */
const others: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'];

/**
 * Takes the signals of a process: they abort `signal`, a second one calls `exit`; while a listener is there, they go
 * to it alone. `close` gives them back.
 */
export function takeSignals(source: SignalSource, exit: () => void) {
  const stop = new AbortController();
  const listeners = new Set<(signal: NodeJS.Signals) => void>();
  // Under npx one Ctrl-C comes twice within moments, from the terminal and from npm: that is still the first.
  let firstAt = Infinity;
  const take = (signal: NodeJS.Signals) => {
    if (listeners.size > 0) return listeners.forEach((listener) => listener(signal));
    if (!endings.includes(signal)) return;
    if (performance.now() - firstAt > 300) exit();
    firstAt = Math.min(firstAt, performance.now());
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
