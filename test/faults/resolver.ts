import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'vitest';
import { startDaemonProcess } from './daemon-process.ts';
import { until } from './until.ts';
import { interval, startNames, watchTargets } from './watched-targets.ts';

export async function loseResolver(how: 'closed' | 'silent'): Promise<void> {
  const names = await startNames();
  await using daemon = await startDaemonProcess({ env: { UPTIME_DNS_SERVERS: names.server } });
  const timeout = 2;
  await using watched = await watchTargets(daemon, timeout);

  await names.close();
  const silent = how === 'silent' ? await openSilent(names.port) : null;
  const unobserved = () => watched.unobserved().toSorted().join();
  await until('only checks without a lookup work', 8000, () => unobserved() === 'dns,http by name,tcp by name');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(watched.falseDowns()).toEqual([]);
  // Checks that need no lookup still find outages.
  await watched.failTargets();
  await watched.waitForOutages((interval + timeout + 2) * 1000);

  silent?.close();
  const again = await startNames(names.port);
  try {
    await watched.waitUntilAllUp(10_000);
  } finally {
    await again.close();
  }
  expect(watched.falseDowns()).toEqual([]);
}

/** Starts a name server that receives queries and never answers. */
async function openSilent(port: number): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
