import { expect, test } from 'vitest';
import { playExpiryHistories } from '../testing/expiry-histories.ts';

const seed = Date.now();

test(`100,000 random histories lead to the same alerts about expiry as in the naive model (seed ${seed})`, () => {
  const { paused, ...counts } = playExpiryHistories(100_000, seed);
  // A pause resolves no alert about a certificate or a domain.
  expect(paused).toBe(0);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(1000);
}, 300_000);
