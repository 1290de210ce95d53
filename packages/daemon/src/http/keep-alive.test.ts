import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLog } from '../testing/test-daemon.ts';
import { clientLimits } from './client-limits.ts';
import { newServer } from './new-server.ts';

/** In this test, all limits are a twenty-fifth of the real limits: an idle time of 150 s becomes 6 s. */
const scale = 25;
const idleMs = 150_000 / scale;

test('an idle connection stays open for longer than the common proxies reuse it', () => {
  expect(clientLimits.keepAliveTimeout).toBeGreaterThan(600_000);
});

test('a client that idles for 150 s between two POSTs on one connection gets both answers', async () => {
  const app = newServer(silentLog, {
    trustProxy: false,
    limits: {
      ...clientLimits,
      headersTimeout: clientLimits.headersTimeout / scale,
      requestTimeout: clientLimits.requestTimeout / scale,
      connectionsCheckingInterval: clientLimits.connectionsCheckingInterval / scale,
      keepAliveTimeout: clientLimits.keepAliveTimeout / scale,
    },
  });
  // By default, Node adds a second to `keepAliveTimeout`. A second is too long here, because this test shortens all
  // times.
  Object.assign(app.server, { keepAliveTimeoutBuffer: 0 });
  app.post('/', async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  let connections = 0;
  app.server.on('connection', () => connections++);

  const post = async (): Promise<number> => {
    const asking = request({ host: '127.0.0.1', port, method: 'POST', agent }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode ?? 0;
  };
  const round = () => Promise.all(Array.from({ length: 20 }, post));
  const all = Array.from({ length: 20 }, () => 200);
  expect(await round()).toEqual(all);
  // This sleep is the idle time that the test examines.
  await sleep(idleMs);
  expect(await round()).toEqual(all);
  expect(connections).toBe(20);
  agent.destroy();
  await app.close();
});
