import { readConfigureGlobal } from 'fast-check';
import { expect, test } from 'vitest';
import { tryHistories } from '../testing/delivery-histories.ts';

/*
 * This test plays random providers, outages and restarts on a real store. It compares the requests that providers
 * received with the simple model in testing/naive-deliveries.ts. deliveries.soak.ts plays 2,000 histories.
 */

const { seed = 1 } = readConfigureGlobal();

test(`no alarm is lost, and only interrupted messages arrive twice, in 20 random histories (seed ${seed})`, async () => {
  const { faults, asked, taken } = await tryHistories(20, seed);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(taken).toBeGreaterThan(60);
  expect(asked).toBeGreaterThan(taken);
});
