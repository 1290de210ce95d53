import { expect, test } from 'vitest';
import { tryHistories } from '../testing/delivery-histories.ts';

/*
 * Random providers, outages and restarts are played on a real store, and what the providers were asked is held against
 * the plain model in testing/naive-deliveries. deliveries.soak.ts plays 2,000 of them.
 */

const seed = Date.now() % 1e9;

test(
  `20 random histories lose no alarm, and double none that was not cut (seed ${seed})`,
  { timeout: 60_000 },
  async () => {
    const { faults, asked, taken } = await tryHistories(20, seed);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(taken).toBeGreaterThan(60);
    expect(asked).toBeGreaterThan(taken);
  },
);
