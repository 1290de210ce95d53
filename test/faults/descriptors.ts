import { expect } from 'vitest';
import { startDaemonProcess } from './daemon-process.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function runOutOfDescriptors(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ program: 'faulty', env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);

  await daemon.causeFault({ kind: 'takeDescriptors' });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(watched.falseDowns()).toEqual([]);
  await daemon.causeFault({ kind: 'giveDescriptors' });
  // The longer a fault has lasted, the longer the daemon waits before it retries. So the limit is as high as 8 s.
  await watched.waitUntilAllUp(8000);
  expect(watched.falseDowns()).toEqual([]);

  await daemon.causeFault({ kind: 'takeDescriptors' });
  await watched.failTargets();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await daemon.causeFault({ kind: 'giveDescriptors' });
  await watched.waitForOutages((interval + timeout + 2) * 1000);
  await watched.waitUntilAllUp(4000);
  expect(watched.falseDowns()).toEqual([]);
}
