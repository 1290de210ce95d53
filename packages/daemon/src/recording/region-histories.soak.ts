import { expect, test } from 'vitest';
import { tryRegionHistories } from '../testing/region-histories.ts';

const seed = Date.now() % 1e9;

test.each([1, 2, 3, 4])(
  '1,000 random histories of five regions lead to the right statuses and alerts (part %i of 4)',
  async (part) => {
    const world = seed + part;
    const { faults, changes, late } = await tryRegionHistories(250, world);
    expect(faults.slice(0, 3), `seed ${world}`).toEqual([]);
    process.stdout.write(`Part ${part}: ${changes} changes of status, ${late} late arrivals.\n`);
  },
);
