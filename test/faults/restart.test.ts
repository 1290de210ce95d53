import { expect, test } from 'vitest';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';
import { tcpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { type NewMonitor, startDaemonProcess } from './daemon-process.ts';
import { startPinging } from './pinging.ts';
import { until } from './until.ts';

test.concurrent(
  'SIGTERM under load ends a daemon within 2 s with code 0, and the next start finds every acknowledged ping',
  async () => {
    // Checks that hang are also running. The stop does not wait for them.
    await using silent = await tcpTarget();
    await using daemon = await startDaemonProcess();
    const hanging: NewMonitor = { type: 'http', url: `http://127.0.0.1:${silent.port}/`, interval: 1, timeout: 30 };
    for (let count = 0; count < 20; count++) await daemon.monitor(hanging);
    const { pingUrl } = await daemon.monitor({ type: 'heartbeat', name: 'job' });
    const path = new URL(pingUrl).pathname;
    const before = await daemon.request('GET', '/api/monitors?limit=100');

    const pinging = startPinging(() => daemon.url() + path, 300);
    await until('pings are answered', 5000, () => pinging.acknowledged.length > 100);
    const { code, withinMs } = await daemon.end('SIGTERM');
    expect({ code, log: daemon.log() }).toMatchObject({ code: 0 });
    expect(withinMs).toBeLessThan(boundMs(2000));
    await pinging.stop();

    await daemon.start();
    const after = await daemon.request('GET', '/api/monitors?limit=100');
    expect(after.status).toBe(200);
    expect(identities(after.body)).toEqual(identities(before.body));
    expect(identities(after.body)).toHaveLength(21);
    const database = daemon.open();
    const stored = new Set(database.prepare(`select metrics ->> '$.seq' from ping`).pluck().all());
    const integrity = database.prepare('pragma integrity_check').pluck().all();
    database.close();
    expect(pinging.acknowledged.filter((seq) => !stored.has(seq))).toEqual([]);
    expect(integrity).toEqual(['ok']);
  },
);

test.concurrent('the time in which a daemon did not run is not part of the silence of a job', async () => {
  await using daemon = await startDaemonProcess();
  const { id, pingUrl } = await daemon.monitor({ type: 'heartbeat', interval: 1, gracePeriod: 1 });
  const status = async () => ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;
  const path = new URL(pingUrl).pathname;
  // The daemon stores a sign of life every second. Pings come more often, so the last ping follows the last sign.
  const pinging = startPinging(() => daemon.url() + path, 20);
  await until('the job is up', 5000, async () => (await status()) === 'up');
  await until('30 pings are answered', 5000, () => pinging.acknowledged.length > 30);
  await daemon.end('SIGKILL');
  const killedAt = Date.now();
  await pinging.stop();
  await until('the silence is longer than interval and grace period', 5000, () => Date.now() > killedAt + 3000);

  await daemon.start();
  const startedAt = Date.now();
  expect(await status()).toBe('up');
  // After the start, the silence of the job continues. The job goes down at the end of interval and grace period.
  await until('the silence is noticed', 4000, async () => (await status()) === 'down');
  const changes = (await daemon.request('GET', `/api/monitors/${id}/events`)).body as { timestamp: string }[];
  expect(Date.parse(changes.at(-1)!.timestamp)).toBeGreaterThan(startedAt + 500);
});

const identities = (list: unknown) =>
  (list as { id: string; name: string }[]).map(({ id, name }) => `${id} ${name}`).toSorted();
