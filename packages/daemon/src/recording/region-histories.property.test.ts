import { readConfigureGlobal } from 'fast-check';
import { expect, test } from 'vitest';
import { tryRegionHistories } from '../testing/region-histories.ts';

/*
 * This test plays random histories of five regions on a real store: verdicts, delays, interrupted links, and results
 * that are sent twice. It compares statuses and alerts with the simple model in testing/naive-regions.ts.
 * region-histories.soak.ts plays 1,000 histories.
 */

const { seed = 1 } = readConfigureGlobal();

test(`10 random histories of five regions lead to the right statuses and alerts (seed ${seed})`, async () => {
  const { faults, changes } = await tryRegionHistories(10, seed);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(changes).toBeGreaterThan(10);
});
