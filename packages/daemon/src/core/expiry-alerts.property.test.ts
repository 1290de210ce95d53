import { expect, test } from 'vitest';
import { playExpiryHistories } from '../testing/expiry-histories.ts';

const seed = Date.now();

/*
 * This test compares the alerts about certificates and domains with those of the simple model in
 * testing/naive-expiry.ts. expiry-alerts.soak.ts plays 100,000 histories.
 */
test(`2,000 random histories lead to the same alerts about expiry as in the naive model (seed ${seed})`, () => {
  const { paused, ...counts } = playExpiryHistories(2000, seed);
  // A pause resolves no alert about a certificate or a domain.
  expect(paused).toBe(0);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
});
