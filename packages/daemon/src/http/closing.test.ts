import { connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

test('a request in progress gets its answer when the daemon closes, and recorded pings are kept', async () => {
  const checking = Promise.withResolvers<void>();
  const daemon = await createTestDaemon({
    runCheck: async (_, signal) => {
      checking.resolve();
      if (!signal.aborted) await once(signal, 'abort');
      return passingCheck();
    },
  });
  const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
  const { pathname } = new URL((made.body as { pingUrl: string }).pingUrl);
  const active = await daemon.request('POST', '/api/monitors', { type: 'tcp', name: 't', host: 'localhost', port: 1 });
  await checking.promise;

  const check = daemon.request('POST', `/api/monitors/${(active.body as { id: string }).id}/check`);
  const pings = Array.from({ length: 50 }, () => daemon.request('GET', pathname, undefined, { apiKey: null }));
  // When a later request has its answer, all earlier requests have arrived.
  await daemon.request('GET', '/healthz', undefined, { apiKey: null });
  await pings.at(-1);
  const waiting = startWaiting();
  await daemon.restart();
  expect(waiting.ms()).toBeLessThan(boundMs(3000));

  const answers = await Promise.all(pings);
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect([200, 503]).toContain((await check).status);
  expect(await daemon.store.db.selectFrom('ping').select('id').execute()).toHaveLength(50);
  await daemon.close();
});

test('a client that never ends its request does not keep the daemon from closing', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  const { port, hostname } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /api/monitors HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n');
  await once(socket, 'connect');
  const idle = connect(Number(port), hostname);
  await once(idle, 'connect');
  const waiting = startWaiting();
  await daemon.close();
  expect(waiting.ms()).toBeLessThan(boundMs(2000));
  await Promise.all([text(socket), text(idle)]);
});

test('work for a client that has disconnected is finished before the store closes', async () => {
  const logged: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void logged.push(line) });
  const daemon = await createTestDaemon({ runCheck: passingCheck, log });
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const write = daemon.store.write.bind(daemon.store);
  daemon.store.write = async (...given) => {
    begun.resolve();
    await released.promise;
    return write(...given);
  };
  const { port, hostname } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ type: 'heartbeat', name: 'begun' });
  socket.write(
    `POST /api/monitors HTTP/1.1\r\nhost: x\r\nx-api-key: ${daemon.apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await begun.promise;
  socket.destroy();
  const restarted = daemon.restart();
  setTimeout(released.resolve, 100);
  await restarted;
  expect(logged).toEqual([]);
  expect((await daemon.request('GET', '/api/monitors')).body).toMatchObject([{ name: 'begun' }]);
  await daemon.close();
});
