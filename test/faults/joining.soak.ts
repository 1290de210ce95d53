import { test } from 'vitest';
import { joinUnderLoad } from './join-under-load.ts';

test('20 daemons join a PostgreSQL and leave it at 1,000 checks a second, and no check is missed or repeated', async () => {
  const { longestStartMs } = await joinUnderLoad({
    times: 20,
    monitors: 5000,
    intervalSeconds: 5,
    togetherMs: 2000,
    joinWithinMs: 2000,
  });
  console.log(`the longest start took ${Math.round(longestStartMs)} ms`);
});
