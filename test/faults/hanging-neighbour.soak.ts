import { test } from 'vitest';
import { surviveHangingNeighbour } from './hanging-neighbour.ts';

test('12,000 hanging monitors of one project do not delay the checks of other projects', async () => {
  console.log(await surviveHangingNeighbour({ hanging: 12_000, intervalSeconds: 5, intervals: 12 }));
});
