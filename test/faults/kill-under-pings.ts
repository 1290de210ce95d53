import { expect } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { startPinging } from './pinging.ts';
import { until } from './until.ts';

/** How many pings of each kind are sent in a second: pings with their number as a metric, and pings without metrics. */
const perSecond = 150;
/**
 * Number of heartbeats that get pings without metrics. With this many, a heartbeat rarely has more than one ping under
 * way when the daemon is killed.
 */
const plainHeartbeats = 300;

/**
 * Kills the daemon `times` times with SIGKILL, each time at a random moment, while it gets 300 pings a second. After
 * each restart the store must contain every acknowledged ping exactly once, and the database must be intact.
 */
export async function killUnderPings(times: number): Promise<void> {
  await using daemon = await startDaemonProcess();
  const newHeartbeat = async () => {
    const { id, pingUrl } = await daemon.monitor({ type: 'heartbeat', interval: 3600 });
    return { id, path: new URL(pingUrl).pathname };
  };
  const numberedPath = (await newHeartbeat()).path;
  const plain = await Promise.all(
    Array.from({ length: plainHeartbeats }, async () => ({
      ...(await newHeartbeat()),
      acknowledged: 1,
      unanswered: 0,
    })),
  );
  // The first ping sets the heartbeat to up. Only later pings, which change no status, use the fast path.
  const first = await Promise.all(plain.map(({ path }) => fetch(daemon.url() + path)));
  expect(first.every(({ ok }) => ok)).toBe(true);
  const acknowledged: number[] = [];

  for (let kill = 1; kill <= times; kill++) {
    const numbered = startPinging(() => daemon.url() + numberedPath, perSecond, { first: kill * 1_000_000 });
    const others = startPinging((seq) => daemon.url() + plain[seq % plain.length]!.path, perSecond, { plain: true });
    const answered = () => numbered.acknowledged.length > 0 && others.acknowledged.length > 0;
    await until('a first ping of each kind is answered', 5000, answered);
    const moment = Math.random() * 500;
    await new Promise((resolve) => setTimeout(resolve, moment));
    await daemon.end('SIGKILL');
    await Promise.all([numbered.stop(), others.stop()]);
    acknowledged.push(...numbered.acknowledged);
    for (const seq of others.acknowledged) plain[seq % plain.length]!.acknowledged++;
    for (const seq of others.unanswered) plain[seq % plain.length]!.unanswered++;

    await daemon.start();
    const stored = read(daemon);
    const when = `kill ${kill}, ${Math.round(moment)} ms after its first answered pings`;
    expect(stored.integrity, when).toEqual(['ok']);
    const storedSeqs = new Set(stored.numbers);
    expect(
      acknowledged.filter((seq) => !storedSeqs.has(seq)),
      `acknowledged but lost: ${when}`,
    ).toEqual([]);
    expect(stored.numbers.length, `recorded twice: ${when}`).toBe(storedSeqs.size);
    for (const { id, acknowledged, unanswered } of plain) {
      const count = stored.plain.get(id) ?? 0;
      expect(count, `acknowledged but lost, without a number: ${when}`).toBeGreaterThanOrEqual(acknowledged);
      expect(count, `recorded twice, without a number: ${when}`).toBeLessThanOrEqual(acknowledged + unanswered);
    }
  }
  // Enough pings were answered, so the daemon really was under load.
  expect(acknowledged.length).toBeGreaterThan(times * 10);
  expect(plain.reduce((sum, { acknowledged }) => sum + acknowledged - 1, 0)).toBeGreaterThan(times * 10);
}

function read(daemon: DaemonProcess): { numbers: number[]; plain: Map<string, number>; integrity: unknown[] } {
  const database = daemon.open();
  try {
    const numbers = database.prepare(`select metrics ->> '$.seq' from ping where metrics is not null`).pluck().all();
    const plain = database
      .prepare(
        `select monitor.id, count(*) from ping join monitor on monitor.seq = ping.monitor where metrics is null group by 1`,
      )
      .raw()
      .all();
    return {
      numbers: numbers as number[],
      plain: new Map(plain as [string, number][]),
      integrity: database.prepare('pragma integrity_check').pluck().all(),
    };
  } finally {
    database.close();
  }
}
