import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { silentLog } from '../testing/test-daemon.ts';
import { closing, defaultListeners, type Listening, listen } from './listen.ts';
import { newServer } from './new-server.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

test('a burst of connections waits at the port, so that no client has to try again after a second', async () => {
  const app = newServer(silentLog, { trustProxy: false });
  const { port, more } = await listen(app, { host: '127.0.0.1', port: 0 });
  const waiting = startWaiting();
  // These are more connections than Node's default backlog of 511. All of them begin in one turn of the event loop, so
  // the server accepts no connection before all have begun.
  const sockets = Array.from({ length: 700 }, () => connect(port, '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(waiting.ms()).toBeLessThan(boundMs(900));
  } finally {
    for (const socket of sockets) socket.destroy();
    await closing(app.server, more, () => app.close());
  }
});

const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
const serve = async () => {
  const app = newServer(silentLog, { trustProxy: false });
  app.get('/', async (_, reply) => reply.send('ok'));
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  return { app, ...listening, close: () => closing(app.server, listening.more, () => app.close()) };
};

test('the server accepts several connections in a turn of the event loop, so that a flood does not delay other clients', async () => {
  const { app, port, close } = await serve();
  let accepted = 0;
  let [first, last] = [0, 0];
  app.server.on('connection', () => {
    if (++accepted === 1) first = turns();
    last = turns();
  });
  const sockets = Array.from({ length: 640 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await expect.poll(() => accepted).toBe(640);
  // A single listener would need 640 turns. The bound is generous, because the system distributes connections by
  // chance.
  expect(last - first).toBeLessThan(640 / (defaultListeners / 8));
  for (const socket of sockets) socket.destroy();
  await close();
});

test('listen rejects if another daemon uses the port, although the listeners of one daemon share a port', async () => {
  const { port, close } = await serve();
  const second = newServer(silentLog, { trustProxy: false });
  await expect(listen(second, { host: '127.0.0.1', port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  await close();
});

test('a server that closes answers the requests in progress on every listener, and closes idle connections', async () => {
  const app = newServer(silentLog, { trustProxy: false });
  const released = Promise.withResolvers<void>();
  let waiting = 0;
  app.get('/', async (_, reply) => {
    waiting++;
    await released.promise;
    return reply.send('ok');
  });
  const { port, more }: Listening = await listen(app, { host: '127.0.0.1', port: 0 });
  // With so many connections, some are accepted by listeners other than the server's own.
  const agent = new Agent({ keepAlive: true });
  const answers = Array.from(
    { length: 40 },
    () =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ port, agent }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
          .on('error', reject)
          .end();
      }),
  );
  const idle = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
  await expect.poll(() => waiting).toBe(40);
  const closed = closing(app.server, more, () => app.close());
  released.resolve();
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  await closed;
  agent.destroy();
  for (const socket of idle) if (!socket.closed) await once(socket.resume(), 'close');
});
