import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { silentLog } from '../testing/test-daemon.ts';
import { listen } from './listen.ts';
import { newServer } from './new-server.ts';

test('a burst of connections waits to be accepted, and none has to try again after a second', async () => {
  const app = newServer(silentLog, { trustProxy: false });
  const port = await listen(app, { host: '127.0.0.1', port: 0 });
  const begun = performance.now();
  // More than Node's 511. All begin in one turn of the event loop, so the server accepts none meanwhile.
  const sockets = Array.from({ length: 700 }, () => connect(port, '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(performance.now() - begun).toBeLessThan(900);
  } finally {
    for (const socket of sockets) socket.destroy();
    await app.close();
  }
});
