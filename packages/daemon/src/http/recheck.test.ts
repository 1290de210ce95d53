import { expect, test } from 'vitest';
import { createRecheck } from './recheck.ts';

test('recheck authenticates a request again when at least 20 ms have passed since the last authentication', async () => {
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

test('recheck throws if the credential is no longer valid', async () => {
  let now = 0;
  const recheck = createRecheck(() => Promise.reject(new Error('revoked')), { monotonicMs: () => now });
  await recheck();
  now = 1000;
  await expect(recheck()).rejects.toThrow('revoked');
});
