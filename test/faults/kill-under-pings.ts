import { expect } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { startPinging } from './pinging.ts';
import { until } from './until.ts';

const perSecond = 300;

/**
 * Kills the daemon with SIGKILL at a random moment under 300 pings a second, `times` times. After each restart every
 * acknowledged ping must be in the store, each once, and the database whole.
 */
export async function killUnderPings(times: number): Promise<void> {
  await using daemon = await startDaemonProcess();
  const { pingUrl } = await daemon.monitor({ type: 'heartbeat', interval: 3600 });
  const path = new URL(pingUrl).pathname;
  const acknowledged: number[] = [];

  for (let kill = 1; kill <= times; kill++) {
    const pinging = startPinging(() => daemon.url() + path, perSecond, kill * 1_000_000);
    await until('a first ping is answered', 5000, () => pinging.acknowledged.length > 0);
    const moment = Math.random() * 500;
    await new Promise((resolve) => setTimeout(resolve, moment));
    await daemon.end('SIGKILL');
    await pinging.stop();
    acknowledged.push(...pinging.acknowledged);

    await daemon.start();
    const { stored, integrity } = read(daemon);
    const when = `kill ${kill}, ${Math.round(moment)} ms after its first answered ping`;
    expect(integrity, when).toEqual(['ok']);
    const known = new Set(stored);
    expect(
      acknowledged.filter((seq) => !known.has(seq)),
      `acknowledged but lost: ${when}`,
    ).toEqual([]);
    expect(stored.length, `recorded twice: ${when}`).toBe(known.size);
  }
  // It was under load: most of what was sent was answered.
  expect(acknowledged.length).toBeGreaterThan(times * 20);
}

function read(daemon: DaemonProcess): { stored: number[]; integrity: unknown[] } {
  const database = daemon.open();
  try {
    const stored = database.prepare(`select metrics ->> '$.seq' from ping`).pluck().all() as number[];
    return { stored, integrity: database.prepare('pragma integrity_check').pluck().all() };
  } finally {
    database.close();
  }
}
