import { test } from 'vitest';
import { surviveHangingNeighbour } from './hanging-neighbour.ts';

test('2,000 hanging monitors of one project do not delay the checks of other projects', async () => {
  // With fewer intervals, a difference of one check would already count as unfair.
  console.log(await surviveHangingNeighbour({ hanging: 2000, intervalSeconds: 2, intervals: 6 }));
});
