import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { abortedBySignals } from './stop-signals.ts';

test.each(['SIGINT', 'SIGTERM'])(
  'the first %s aborts with the given message, and a second signal changes nothing',
  (signal) => {
    const program = new EventEmitter();
    const stopping = abortedBySignals(program, 'The work was interrupted.');
    expect(stopping.aborted).toBe(false);
    program.emit(signal);
    expect(stopping.reason).toEqual(new Error('The work was interrupted.'));
    const { reason } = stopping;
    expect(program.emit(signal)).toBe(true);
    expect(stopping.reason).toBe(reason);
  },
);
