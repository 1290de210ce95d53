import { test } from 'vitest';
import { surviveSlowSockets } from './slow-sockets.ts';

test('300 slow sockets delay neither pings nor checks', async () => {
  await surviveSlowSockets(300, 5);
});
