import { expect } from 'vitest';
import { startDaemonProcess } from './daemon-process.ts';
import { until } from './until.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function fillStoreUntilFull(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ program: 'faulty', env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);
  const { pingUrl } = await daemon.monitor({ type: 'heartbeat', name: 'big', interval: 3600 });
  const path = new URL(pingUrl).pathname;
  let [sent, recorded] = [0, 0];
  const bigPing = async () => {
    sent++;
    const { status, body } = await daemon.request('POST', path, { seq: sent, text: 'x'.repeat(900) });
    if (status === 200) recorded++;
    return { status, body };
  };
  const stored = () => {
    const database = daemon.open();
    const count = database.prepare(`select count(*) from ping where length(metrics) > 900`).pluck().get();
    database.close();
    return count;
  };

  await daemon.causeFault({ kind: 'fillStore', pages: 4 });
  await until('pings are refused', 10_000, async () => (await bigPing()).status === 503);
  expect((await bigPing()).body).toMatchObject({ code: 'unavailable', detail: expect.stringMatching(/full/) });
  for (let more = 0; more < 20; more++) await bigPing();
  expect(stored()).toBe(recorded);
  expect((await daemon.request('GET', '/api/monitors')).status).toBe(200);
  await until('health returns 503', 8000, async () => (await daemon.request('GET', '/healthz')).status === 503);
  expect(watched.falseDowns()).toEqual([]);

  await watched.failTargets();
  await daemon.causeFault({ kind: 'makeRoom' });
  expect((await bigPing()).status).toBe(200);
  await watched.waitForOutages((interval + timeout + 2) * 1000);
  const waitUntilAllUp = watched.waitUntilAllUp(5000);
  expect((await bigPing()).status).toBe(200);
  await waitUntilAllUp;
  expect(watched.falseDowns()).toEqual([]);
  expect(stored()).toBe(recorded);
  await watched.steady.stop();
  const storedSeqs = watched.pinged();
  expect(watched.steady.acknowledged.filter((seq) => !storedSeqs.has(seq))).toEqual([]);
  expect([...watched.steady.others.keys()].filter((what) => what !== '503')).toEqual([]);
}
