import { expect, test } from 'vitest';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';
import { alertReceiver, storyOf } from './alert-receiver.ts';
import { createChannel, createMonitor, createRule } from './create.ts';
import { startDaemonProcess } from './daemon-process.ts';
import { switchedTargets } from './switched-targets.ts';
import { until } from './until.ts';

// These tests run at the same time, because they mostly wait.
test.concurrent('an outage that began while the daemon was stopped is reported once after the next start', async () => {
  await using targets = await switchedTargets();
  await using receiver = await alertReceiver('receiver');
  await using daemon = await startDaemonProcess();
  const id = await createMonitor(daemon, { name: 'page', url: targets.url(1) });
  await createRule(daemon, { monitorIds: [id], channelIds: [await createChannel(daemon, receiver)] });
  const status = async () => ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;
  await until('the monitor is up', 5000, async () => (await status()) === 'up');
  await daemon.end('SIGTERM');
  targets.set(1, 'failing');
  await daemon.start();
  await until('the alarm arrived', 5000, () => receiver.received.length === 1);
  await daemon.end('SIGKILL');
  await daemon.start();
  targets.set(1, 'up');
  await until('the recovery arrived', 5000, () => receiver.received.at(-1)?.event === 'monitor_up');
  expect(storyOf(receiver)).toEqual(new Map([['page', ['monitor_down', 'monitor_up']]]));
});

test.concurrent('a rule for n consecutive failures alerts within n intervals, a timeout and 2 s', async () => {
  await using targets = await switchedTargets();
  await using receiver = await alertReceiver('receiver');
  await using daemon = await startDaemonProcess();
  const cases = [
    { interval: 1, timeout: 1, failures: 1, state: 'hanging' },
    { interval: 1, timeout: 1, failures: 5, state: 'hanging' },
    { interval: 2, timeout: 1, failures: 3, state: 'hanging' },
    { interval: 2, timeout: 2, failures: 3, state: 'hanging' },
    { interval: 3, timeout: 3, failures: 2, state: 'hanging' },
    { interval: 1, timeout: 5, failures: 1, state: 'hanging' },
    { interval: 1, timeout: 5, failures: 4, state: 'hanging' },
    { interval: 2, timeout: 5, failures: 3, state: 'hanging' },
    { interval: 1, timeout: 1, failures: 5, state: 'failing' },
    { interval: 3, timeout: 1, failures: 2, state: 'failing' },
    { interval: 5, timeout: 5, failures: 1, state: 'failing' },
  ] as const;
  const copies = 3;
  const channelId = await createChannel(daemon, receiver);
  const pages = Array.from({ length: cases.length * copies }, (_, page) => ({ page, ...cases[page % cases.length]! }));
  for (const { page, interval, timeout, failures } of pages) {
    const id = await createMonitor(daemon, { name: String(page), url: targets.url(page), interval, timeout });
    await createRule(daemon, { monitorIds: [id], channelIds: [channelId], consecutiveFailures: failures });
  }
  const list = async () => (await daemon.request('GET', '/api/monitors?limit=100')).body as { status: string }[];
  await until('all monitors are up', 10_000, async () => (await list()).every(({ status }) => status === 'up'));

  const began = pages.map(async ({ page, state }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3000));
    targets.set(page, state);
    return Date.now();
  });
  const outages = await Promise.all(began);
  await until('all alarms arrived', 20_000, () => receiver.received.length === pages.length);
  const late = pages.flatMap(({ page, interval, timeout, failures, state }) => {
    const alarm = receiver.received.find(({ monitor }) => monitor === String(page))!;
    const took = alarm.at - outages[page]!;
    const maxMs = boundMs((failures * interval + timeout + 2) * 1000);
    return took > maxMs ? [`${failures} × ${interval} s + ${timeout} s, ${state}: after ${took} ms`] : [];
  });
  expect(late).toEqual([]);
});
