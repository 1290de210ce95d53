import { expect } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { startPinging } from './pinging.ts';
import { until } from './until.ts';

/** Of each kind: those that carry a number, and those that say no more than "done". */
const perSecond = 150;

/**
 * Kills the daemon with SIGKILL at a random moment under 300 pings a second, `times` times. After each restart every
 * acknowledged ping must be in the store, each once, and the database whole.
 */
export async function killUnderPings(times: number): Promise<void> {
  await using daemon = await startDaemonProcess();
  const newPath = async () => new URL((await daemon.monitor({ type: 'heartbeat', interval: 3600 })).pingUrl).pathname;
  const paths = { numbered: await newPath(), plain: await newPath() };
  const acknowledged: number[] = [];
  const plain = { sent: 0, acknowledged: 0 };

  for (let kill = 1; kill <= times; kill++) {
    const numbered = startPinging(() => daemon.url() + paths.numbered, perSecond, kill * 1_000_000);
    const others = startPinging(() => daemon.url() + paths.plain, perSecond, 0, true);
    const answered = () => numbered.acknowledged.length > 0 && others.acknowledged.length > 0;
    await until('a first ping of each kind is answered', 5000, answered);
    const moment = Math.random() * 500;
    await new Promise((resolve) => setTimeout(resolve, moment));
    await daemon.end('SIGKILL');
    await Promise.all([numbered.stop(), others.stop()]);
    acknowledged.push(...numbered.acknowledged);
    plain.acknowledged += others.acknowledged.length;
    plain.sent += others.acknowledged.length + [...others.others.values()].reduce((sum, count) => sum + count, 0);

    await daemon.start();
    const stored = read(daemon);
    const when = `kill ${kill}, ${Math.round(moment)} ms after its first answered pings`;
    expect(stored.integrity, when).toEqual(['ok']);
    const known = new Set(stored.numbers);
    expect(
      acknowledged.filter((seq) => !known.has(seq)),
      `acknowledged but lost: ${when}`,
    ).toEqual([]);
    expect(stored.numbers.length, `recorded twice: ${when}`).toBe(known.size);
    expect(stored.plain, `acknowledged but lost, without a number: ${when}`).toBeGreaterThanOrEqual(plain.acknowledged);
    expect(stored.plain, `recorded twice, without a number: ${when}`).toBeLessThanOrEqual(plain.sent);
  }
  // It was under load: most of what was sent was answered.
  expect(acknowledged.length).toBeGreaterThan(times * 10);
  expect(plain.acknowledged).toBeGreaterThan(times * 10);
}

function read(daemon: DaemonProcess): { numbers: number[]; plain: number; integrity: unknown[] } {
  const database = daemon.open();
  try {
    const all = database.prepare(`select metrics ->> '$.seq' from ping`).pluck().all() as (number | null)[];
    const numbers = all.filter((number) => number !== null);
    return {
      numbers,
      plain: all.length - numbers.length,
      integrity: database.prepare('pragma integrity_check').pluck().all(),
    };
  } finally {
    database.close();
  }
}
