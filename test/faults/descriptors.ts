import { expect } from 'vitest';
import { startDaemonProcess } from './daemon-process.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function runOutOfDescriptors(): Promise<void> {
  await using names = await startNames();
  await using daemon = await startDaemonProcess({ program: 'faulty', env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);

  await daemon.suffer({ kind: 'takeDescriptors' });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(watched.falseDowns()).toEqual([]);
  await daemon.suffer({ kind: 'giveDescriptors' });
  // The retry comes after a pause that grows with the length of the fault.
  await watched.goesOn(8000);
  expect(watched.falseDowns()).toEqual([]);

  await daemon.suffer({ kind: 'takeDescriptors' });
  await watched.doom();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await daemon.suffer({ kind: 'giveDescriptors' });
  await watched.doomIsFound((interval + timeout + 2) * 1000);
  await watched.goesOn(4000);
  expect(watched.falseDowns()).toEqual([]);
}
