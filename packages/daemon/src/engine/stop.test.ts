import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const down: CheckOutcome = {
  verdict: 'down',
  error: { code: 'timeout', message: 'No answer.' },
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
  trace: [],
};

let daemon: TestDaemon;
const received: string[] = [];
let answerAfterMs = 1300;
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']));
  request.resume();
  setTimeout(() => response.end('ok'), answerAfterMs);
});
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  daemon = await createTestDaemon({ runCheck: async () => down });
  const { port } = receiver.address() as AddressInfo;
  const post = async (path: string, body: object) => (await daemon.request('POST', path, body)).body as { id: string };
  const config = { url: `http://127.0.0.1:${port}/` };
  const channel = await post('/api/notification-channels', { type: 'webhook', name: 'slow', config });
  // The monitor is created paused, so that its first check comes after the rule is created. Otherwise the first check
  // that the rule sees would come a minute later.
  const monitor = await post('/api/monitors', { type: 'tcp', name: 't', host: 'localhost', port: 1, paused: true });
  await post('/api/alert-rules', { name: 'r', monitorIds: [monitor.id], channelIds: [channel.id] });
  await daemon.request('PATCH', `/api/monitors/${monitor.id}`, { paused: false });
});
afterAll(async () => {
  await daemon.close();
  receiver.closeAllConnections();
  receiver.close();
});

test('a stop of the daemon waits for a message that is being sent, so that the receiver gets the message only once', async () => {
  while (received.length === 0) await once(receiver, 'request');
  await daemon.restart();
  const sent = async () => (await daemon.request('GET', '/api/deliveries?status=sent')).body as unknown[];
  expect(await sent()).toHaveLength(1);
  expect(received).toHaveLength(1);
});

test('an interrupted stop aborts the message, and the next start sends it again under the same id', async () => {
  answerAfterMs = 60_000;
  const again = once(receiver, 'request');
  const [delivery] = (await daemon.request('GET', '/api/deliveries')).body as { id: string }[];
  await daemon.request('POST', `/api/deliveries/${delivery!.id}/redeliver`);
  await again;
  answerAfterMs = 0;
  const waiting = startWaiting();
  const restarted = daemon.restart();
  daemon.interrupt();
  await restarted;
  expect(waiting.ms()).toBeLessThan(boundMs(3000));
  while (received.length < 3) await once(receiver, 'request');
  expect(new Set(received)).toEqual(new Set([delivery!.id]));
});
