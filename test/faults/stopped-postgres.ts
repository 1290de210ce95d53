import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import type Pg from 'pg';
import { expect } from 'vitest';
import { startPostgres } from '../../packages/daemon/src/testing/postgres-server.ts';
import { watchClock } from './clock-watch.ts';
import { startDaemonProcess } from './daemon-process.ts';

// The daemon's own dependency: resolved from where it is installed.
const { Client } = createRequire(new URL('../../packages/daemon/package.json', import.meta.url))('pg') as typeof Pg;

/** PostgreSQL stands still for so many milliseconds, each time, while jobs ping; then a job falls silent. */
export async function stopPostgres(stops: readonly number[]): Promise<void> {
  const server = await startPostgres();
  try {
    await using daemon = await startDaemonProcess({ env: { UPTIME_DATABASE_URL: server.url('postgres') } });
    await using watched = await watchClock(daemon);
    for (const stopMs of stops) {
      const processes = await processesOf(server.url('postgres'));
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      await sleep(stopMs);
      for (const pid of processes) process.kill(pid, 'SIGCONT');
      await sleep(3000);
      expect(await watched.falseDowns()).toEqual([]);
    }
    watched.longestGapMs();
    await sleep(3000);
    expect(watched.longestGapMs()).toBeLessThan(2500);
    expect(await watched.silenceIsFound()).toBeLessThan(2500);
  } finally {
    await server.stop();
  }
}

/** The one that all others come from is the first. */
async function processesOf(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const main = await client.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::integer as pid`,
  );
  const others = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid != pg_backend_pid()');
  await client.end();
  return [...main.rows, ...others.rows].map(({ pid }) => pid);
}
