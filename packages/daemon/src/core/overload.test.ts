import { expect, test } from 'vitest';
import { isRefused, overloadWarnings } from './overload.ts';

test('work is refused in a fixed order as the delay grows: pages, reads, writes', () => {
  const refusedAt = (delayMs: number) =>
    (['page', 'read', 'write'] as const).filter((work) => isRefused(work, delayMs));
  expect(refusedAt(99)).toEqual([]);
  expect(refusedAt(100)).toEqual(['page']);
  expect(refusedAt(200)).toEqual(['page', 'read']);
  expect(refusedAt(400)).toEqual(['page', 'read', 'write']);
});

test('the warning names the delay and the refused work', () => {
  expect(overloadWarnings(99)).toEqual([]);
  expect(overloadWarnings(250.4)).toEqual([
    'The server is overloaded: its event loop is delayed by 250 ms. It refuses pages that are not cached, API reads.',
  ]);
});
