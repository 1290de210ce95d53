import { expect, test } from 'vitest';
import { createRecheck } from './recheck.ts';

test('a short request is authenticated once, a long one repeatedly', async () => {
  let now = 0;
  let checks = 0;
  const recheck = createRecheck(async () => ++checks, { monotonicMs: () => now });
  const checksAt = async (at: number) => {
    now = at;
    await recheck();
    return checks;
  };
  expect(await checksAt(19)).toBe(0);
  expect(await checksAt(20)).toBe(1);
  expect(await checksAt(39)).toBe(1);
  expect(await checksAt(40)).toBe(2);
});

test('a credential that is no longer valid ends the request', async () => {
  let now = 0;
  const recheck = createRecheck(() => Promise.reject(new Error('revoked')), { monotonicMs: () => now });
  await recheck();
  now = 1000;
  await expect(recheck()).rejects.toThrow('revoked');
});
