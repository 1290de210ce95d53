import { expect } from 'vitest';
import { startDaemonProcess } from './daemon-process.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function stallEventLoop(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ program: 'faulty', env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 1;
  await using watched = await watchTargets(daemon, timeout);

  // Two cases: stalls so rare that checks succeed between them, and stalls so frequent that hardly any check succeeds.
  await daemon.causeFault({ kind: 'stall', ms: 1500, waitMs: 400, times: 3 });
  await daemon.causeFault({ kind: 'stall', ms: 1500, waitMs: 20, times: 3 });
  expect(watched.falseDowns()).toEqual([]);
  await watched.waitUntilAllUp(4000);

  await watched.failTargets();
  await daemon.causeFault({ kind: 'stall', ms: 1500, waitMs: 100, times: 2 });
  await watched.waitForOutages((interval + timeout + 2) * 1000);
  expect(watched.falseDowns()).toEqual([]);
  expect(Object.fromEntries(watched.steady.others)).toEqual({});
}

export async function stopProcess(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);

  daemon.signal('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 5000));
  daemon.signal('SIGCONT');
  await watched.waitUntilAllUp(4000);
  expect(watched.falseDowns()).toEqual([]);

  daemon.signal('SIGSTOP');
  await watched.failTargets();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  daemon.signal('SIGCONT');
  await watched.waitForOutages((interval + timeout + 2) * 1000);
  await watched.waitUntilAllUp(4000);
  expect(watched.falseDowns()).toEqual([]);
}
