import { expect, test } from 'vitest';
import { createRecentFaults } from './recent-faults.ts';

test('`areMost` is true while more than half of the checks of the last 15 to 30 s gave no verdict', () => {
  let monoMs = 1000;
  const recent = createRecentFaults({ monotonicMs: () => monoMs });
  expect(recent.areMost()).toBe(false);
  recent.note(true);
  expect(recent.areMost()).toBe(true);
  recent.note(false);
  expect(recent.areMost()).toBe(false);
  for (let at = 0; at < 5; at++) recent.note(true);
  monoMs = 29_999;
  expect(recent.areMost()).toBe(true);
  monoMs = 30_000;
  expect(recent.areMost()).toBe(false);
  recent.note(true);
  expect(recent.areMost()).toBe(true);
  monoMs = 1e6;
  expect(recent.areMost()).toBe(false);
});
