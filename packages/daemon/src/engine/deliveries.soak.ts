import { expect, test } from 'vitest';
import { tryHistories } from '../testing/delivery-histories.ts';

const seed = Date.now() % 1e9;

test.each([1, 2, 3, 4])(
  'no alarm is lost, and only interrupted messages arrive twice, in 500 random histories (part %i)',
  async (part) => {
    const all = { asked: 0, taken: 0 };
    for (let round = 0; round < 5; round++) {
      const world = seed + part * 5 + round;
      const { faults, asked, taken } = await tryHistories(100, world);
      expect(faults.slice(0, 3), `seed ${world}`).toEqual([]);
      all.asked += asked;
      all.taken += taken;
    }
    process.stdout.write(`Part ${part}: ${all.asked} requests, of which ${all.taken} were accepted.\n`);
  },
);
