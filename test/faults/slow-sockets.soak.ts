import { test } from 'vitest';
import { surviveSlowSockets } from './slow-sockets.ts';

test('2,000 slow sockets for a minute delay neither pings nor checks', async () => {
  console.log(await surviveSlowSockets(2000, 60));
});
