import { readConfigureGlobal } from 'fast-check';
import { expect, test } from 'vitest';
import { tryHistories } from '../testing/delivery-histories.ts';

/*
 * Plays random providers, outages and restarts on a real store. Compares the requests to the providers with the simple
 * model in testing/naive-deliveries. deliveries.soak.ts plays 2,000 histories.
 */

const { seed = 1 } = readConfigureGlobal();

test(
  `20 random histories lose no alarm, and repeat only interrupted ones (seed ${seed})`,
  { timeout: 60_000 },
  async () => {
    const { faults, asked, taken } = await tryHistories(20, seed);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(taken).toBeGreaterThan(60);
    expect(asked).toBeGreaterThan(taken);
  },
);
