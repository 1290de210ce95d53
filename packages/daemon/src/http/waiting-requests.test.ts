import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

let daemon: TestDaemon;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const log = createLog({ level: 'error', format: 'json', write: (line) => void logged.push(line) });
  daemon = await createTestDaemon({ runCheck: passingCheck, log });
});
afterEach(() => daemon.close());

const body = JSON.stringify({
  type: 'http',
  name: 'x',
  url: 'http://localhost/',
  method: 'POST',
  body: 'b'.repeat(90_000),
});

/** Sends a request, and disconnects while the request waits for its turn. */
const sendAndLeave = async () => {
  const { port, hostname } = new URL(daemon.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /api/monitors HTTP/1.1\r\nhost: x\r\nx-api-key: ${daemon.apiKey}\r\n`;
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
  await once(socket, 'close');
};

test('each request gets one answer, even if clients disconnect while they wait for a turn', async () => {
  const left = Array.from({ length: 20 }, sendAndLeave);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `n${n}` })),
  );
  await Promise.all(left);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  const { body: monitors } = await daemon.request('GET', '/api/monitors');
  const made = (monitors as { name: string }[]).filter(({ name }) => name !== 'x');
  expect(new Set(made.map(({ name }) => name)).size).toBe(20);
  expect(made).toHaveLength(20);
  expect(logged).toEqual([]);
});

test('requests that wait for a turn do not delay a stop, and are not logged as errors', async () => {
  await Promise.all(Array.from({ length: 40 }, sendAndLeave));
  const waiting = Promise.allSettled(
    Array.from({ length: 20 }, () => daemon.request('GET', '/api/notification-channels')),
  );
  // When the answer to this request arrives, most other requests have reached the server. They must arrive before the
  // stop, because the stop closes connections that have no request.
  await daemon.request('GET', '/healthz', undefined, { apiKey: null });
  const stopwatch = startWaiting();
  await daemon.restart();
  expect(stopwatch.ms()).toBeLessThan(boundMs(3000));
  const answers = await waiting;
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect(answer.value.status).toBe(200);
  }
  expect(logged).toEqual([]);
});

test('a client may send a thousand small requests at once', async () => {
  const create = (n: number) => daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `many ${n}` });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => create(n)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
});
