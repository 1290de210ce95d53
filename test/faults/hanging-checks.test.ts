import { expect, test } from 'vitest';
import { tcpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { type NewMonitor, startDaemonProcess } from './daemon-process.ts';
import { startPinging } from './pinging.ts';
import { until } from './until.ts';

const checks = 2000;

test('a daemon answers pings and the API while 2,000 checks hang', async () => {
  let open = 0;
  let largest = 0;
  await using silent = await tcpTarget((socket) => {
    largest = Math.max(largest, ++open);
    socket.resume().on('close', () => open--);
  });
  await using daemon = await startDaemonProcess();
  const hanging: NewMonitor = { type: 'http', url: `http://127.0.0.1:${silent.port}/`, interval: 600, timeout: 120 };
  const { id, pingUrl } = await daemon.monitor({ type: 'heartbeat' });
  for (let made = 0; made < checks; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => daemon.monitor(hanging)));
  await until('all checks are under way', 10_000, () => open >= checks);

  const path = new URL(pingUrl).pathname;
  const pinging = startPinging(() => daemon.url() + path, 200);
  await until('500 pings are answered', 10_000, () => pinging.acknowledged.length >= 500);
  expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ status: 'up' });
  expect((await daemon.request('GET', '/healthz')).status).toBe(200);
  await pinging.stop();
  expect(Object.fromEntries(pinging.others)).toEqual({});
  expect(open).toBeGreaterThanOrEqual(checks);
  // The next check of a monitor may become due while its first check hangs. So a monitor may have two hanging checks.
  expect(largest).toBeLessThanOrEqual(2 * checks);
});
