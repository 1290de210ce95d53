import { test } from 'vitest';
import { surviveSlowSockets } from './slow-sockets.ts';

test('300 slow sockets delay neither pings nor checks', { timeout: 60_000 }, async () => {
  await surviveSlowSockets(300, 5);
});
