import { expect, test } from 'vitest';
import { yieldAfter } from './yield-after.ts';

test('waits for a turn of the event loop after each slice of time, and only then', async () => {
  let now = 0;
  let turns = 0;
  const rest = yieldAfter({ monotonicMs: () => now }, 8);
  const turnsOf = async (passedMs: number) => {
    now += passedMs;
    const before = turns;
    setImmediate(() => turns++);
    await rest();
    return turns - before;
  };
  expect(await turnsOf(7)).toBe(0);
  expect(await turnsOf(1)).toBeGreaterThan(0);
  expect(await turnsOf(7)).toBe(0);
  expect(await turnsOf(7)).toBeGreaterThan(0);
});
