import { expect } from 'vitest';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';
import { startDaemonProcess } from './daemon-process.ts';
import { until } from './until.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function beLockedOut(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);
  const health = () => daemon.request('GET', '/healthz');
  expect((await health()).status).toBe(200);

  const other = daemon.open({ readonly: false });
  other.exec('begin immediate');
  const begun = performance.now();
  const before = watched.steady.acknowledged.length;
  await until('health returns 503', 8000, async () => (await health()).status === 503);
  expect((await health()).body).toMatchObject({ code: 'unavailable', reason: expect.stringMatching(/store/) });
  const reads = [];
  while (performance.now() - begun < 10_000) {
    const readBegun = performance.now();
    const { status } = await daemon.request('GET', '/api/monitors');
    reads.push({ status, quick: performance.now() - readBegun < boundMs(1000) });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(reads.filter(({ status, quick }) => status !== 200 || !quick)).toEqual([]);
  // While the store is locked, no ping may be acknowledged, because it cannot be stored.
  const meanwhile = watched.steady.acknowledged.length;
  expect(meanwhile - before).toBeLessThan(10);
  await watched.failTargets();
  other.exec('commit');
  other.close();

  await watched.waitForOutages((interval + timeout + 2) * 1000);
  await watched.waitUntilAllUp(4000);
  await until('health returns 200 again', 4000, async () => (await health()).status === 200);
  expect(watched.falseDowns()).toEqual([]);
  expect(watched.steady.acknowledged.length - meanwhile).toBeGreaterThan(80);
  expect(Object.fromEntries(watched.steady.others)).toEqual({});
  await watched.steady.stop();
  const storedSeqs = watched.pinged();
  expect(watched.steady.acknowledged.filter((seq) => !storedSeqs.has(seq))).toEqual([]);
}
