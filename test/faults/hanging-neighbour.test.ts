import { test } from 'vitest';
import { surviveHangingNeighbour } from './hanging-neighbour.ts';

test('2,000 hanging monitors of one project take nothing from its neighbours', { timeout: 90_000 }, async () => {
  console.log(await surviveHangingNeighbour(2000, 15));
});
