import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { takeSignals } from './signals.ts';

/** Handles the signals of an event emitter, which stands in for the process. */
function handle() {
  const source = new EventEmitter();
  const exit = vi.fn();
  const signals = takeSignals(source, exit);
  const send = (signal: string) => source.emit(signal, signal);
  return { ...signals, source, exit, send, stopped: () => signals.signal.aborted };
}

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM'])(
    'the signal %s stops the run; if npx sends the signal again at once, the repetition has no effect',
    (name) => {
      const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
      const it = handle();
      it.send(name);
      expect(it.stopped()).toBe(true);
      it.send(name);
      expect(it.exit).not.toHaveBeenCalled();
      now.mockRestore();
      it.close();
    },
  );

  test('a signal that arrives more than 300 ms after the first signal makes the program exit at once', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const it = handle();
    it.send('SIGINT');
    now.mockReturnValue(1300);
    it.send('SIGINT');
    expect(it.exit).not.toHaveBeenCalled();
    // The 300 ms begin at the first signal. So the third signal leads to an exit, although it arrives only 1 ms after
    // the second signal.
    now.mockReturnValue(1301);
    it.send('SIGTERM');
    expect(it.exit).toHaveBeenCalledTimes(1);
    now.mockRestore();
    it.close();
  });

  test('while a listener is set, it gets all signals, and they do not stop the run', () => {
    const it = handle();
    const got: string[] = [];
    const stop = it.onSignal((signal) => got.push(signal));
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGWINCH', 'SIGINT']) it.send(signal);
    expect([got, it.stopped()]).toEqual([['SIGINT', 'SIGHUP', 'SIGWINCH', 'SIGINT'], false]);
    stop();
    it.send('SIGINT');
    expect([got.length, it.stopped()]).toEqual([4, true]);
    it.close();
  });

  test('after `close`, the process has no listeners for signals any more', () => {
    const it = handle();
    it.onSignal(() => undefined)();
    it.close();
    expect(it.source.eventNames()).toEqual([]);
  });
});
