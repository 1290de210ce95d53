import { expect, it } from 'vitest';
import { shortRunsAfter, startFraction } from './slow-start.ts';

const crash = { startedAt: 0, aliveAt: 5000, endedAt: null, shortRuns: 2 };

it('crashes within a minute of a start are counted until a run lasts for a minute or stops cleanly', () => {
  expect(shortRunsAfter(crash)).toBe(3);
  expect(shortRunsAfter({ ...crash, aliveAt: 60_000 })).toBe(0);
  expect(shortRunsAfter({ ...crash, endedAt: 5500 })).toBe(0);
});

it('a start after three crashes in a row begins with a tenth of the capacity, and doubles it every 10 s', () => {
  expect(startFraction(2, 0)).toBe(1);
  expect([0, 9999, 10_000, 20_000, 30_000, 40_000].map((ms) => startFraction(3, ms))).toEqual([
    0.1, 0.1, 0.2, 0.4, 0.8, 1,
  ]);
});
