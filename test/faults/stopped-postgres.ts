import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import type Pg from 'pg';
import { expect } from 'vitest';
import { startPostgres } from '../../packages/daemon/src/testing/postgres-server.ts';
import { createTestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import { watchClock } from './clock-watch.ts';
import { lateMs } from './wrong-clocks.ts';

// pg is a dependency of only the daemon, so it is resolved from the daemon's package.
const { Client } = createRequire(new URL('../../packages/daemon/package.json', import.meta.url))('pg') as typeof Pg;

/**
 * Suspends PostgreSQL several times; `stops` has the durations in milliseconds. Meanwhile, jobs send pings to
 * daemons, each of which has its own database. One outage begins during the last suspension, and one after it. Returns
 * how late each daemon reported these outages.
 */
export async function stopPostgres(stops: readonly number[], daemons = 1): Promise<{ target: number; job: number }[]> {
  const server = await startPostgres();
  await using started = new AsyncDisposableStack();
  started.defer(() => server.stop());
  const watches = await Promise.all(
    Array.from({ length: daemons }, async (_, number) => {
      await query(server.url('postgres'), `create database watch_${number}`);
      const daemon = await createTestDaemon({ env: { UPTIME_DATABASE_URL: server.url(`watch_${number}`) } });
      started.defer(() => daemon.close());
      return started.use(
        await watchClock({
          url: () => daemon.url,
          request: (method, path, body) => daemon.request(method, path, body),
        }),
      );
    }),
  );
  const during: Promise<{ target: number; job: number }>[] = [];
  for (const [at, stopMs] of stops.entries()) {
    const processes = await processesOf(server.url('postgres'));
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    if (at === stops.length - 1) during.push(...watches.map((watched) => watched.causeOutage()));
    await sleep(stopMs);
    for (const pid of processes) process.kill(pid, 'SIGCONT');
    await sleep(3000);
    for (const watched of watches) expect(await watched.falseDowns()).toEqual([]);
  }
  // A daemon cannot report an outage during a stall, so the length of the stall is subtracted from the delay.
  const stopMs = stops.at(-1)!;
  const delays = (await Promise.all(during)).map(({ target, job }) => ({ target: target - stopMs, job: job - stopMs }));
  for (const watched of watches) watched.restartGap();
  delays.push(...(await Promise.all(watches.map((watched) => watched.causeOutage()))));
  for (const watched of watches) {
    expect(watched.longestGapMs()).toBeLessThan(lateMs());
    expect(await watched.falseDowns()).toEqual([]);
  }
  for (const { target, job } of delays) {
    expect(target).toBeLessThan(lateMs());
    expect(job).toBeLessThan(lateMs());
  }
  return delays;
}

async function query<R extends Pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<R>(statement);
  await client.end();
  return rows;
}

/** Returns the process ids of PostgreSQL. The first id belongs to the process that starts all other processes. */
async function processesOf(url: string): Promise<number[]> {
  const main = await query<{ pid: number }>(
    url,
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::integer as pid`,
  );
  const others = await query<{ pid: number }>(url, 'select pid from pg_stat_activity where pid != pg_backend_pid()');
  return [...main, ...others].map(({ pid }) => pid);
}
