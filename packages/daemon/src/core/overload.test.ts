import { expect, test } from 'vitest';
import { isRefused, overloadWarnings } from './overload.ts';

test('as the delay of the event loop grows, the server refuses pages first, then reads, and then writes', () => {
  const refusedAt = (delayMs: number) =>
    (['page', 'read', 'write'] as const).filter((work) => isRefused(work, delayMs));
  expect(refusedAt(99)).toEqual([]);
  expect(refusedAt(100)).toEqual(['page']);
  expect(refusedAt(200)).toEqual(['page', 'read']);
  expect(refusedAt(400)).toEqual(['page', 'read', 'write']);
});

test('the warning about overload names the delay and the refused work', () => {
  expect(overloadWarnings(99)).toEqual([]);
  expect(overloadWarnings(250.4)).toEqual([
    'The server is overloaded: its event loop is delayed by 250 ms. It refuses pages that are not cached, API reads.',
  ]);
});
