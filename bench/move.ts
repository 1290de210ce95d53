import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqliteFile } from '../packages/daemon/src/store/sqlite.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import { nodeFlags } from '../scripts/build/node-flags.ts';
import { buildPrograms } from './build-programs.ts';
import { openDatabase } from './growth/database.ts';
import { fillMonitors } from './growth/fill-monitors.ts';
import { startWatched } from './growth/watched-process.ts';
import { type Measurement, report } from './measurement.ts';

const results = Number(process.env['UPTIME_BENCH_MOVE'] ?? 1_000_000);
const monitors = 1000;
const intervalSeconds = 3600;
/**
 * The results are spread over this time. The last comparison reads the results of the last four hours, and the copy
 * before it may take half an hour. So the last comparison reads all results that are at most 3.5 h old at the start.
 */
const spreadMs = 3.5 * 3_600_000;
const pollMs = 10;

/**
 * Measures how long a daemon on SQLite accepts only pings while its data moves to PostgreSQL: from the state `closing`
 * until the state `moved`. The last comparison reads all the results. docs/deploy.md allows a minute for a million
 * rows.
 */
export async function benchMove(): Promise<Measurement[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  buildPrograms(folder);
  const program = join(folder, 'uptimed.js');
  const dataDir = join(folder, 'data');
  const sqlite = await openDatabase('sqlite', dataDir);
  const postgres = await openDatabase('postgres', join(folder, 'postgres'));
  opened.defer(() => postgres.close());
  const firstAt = Date.now() + intervalSeconds * 1000;
  await sqlite.use(async (store) => {
    await fillMonitors(store, { target: 'http://127.0.0.1:1', monitors, intervalSeconds, firstAt });
    await fillResults(store);
  });

  const settings = { UPTIME_PORT: '0', UPTIME_HOST: '127.0.0.1', UPTIME_DATA_DIR: dataDir };
  const daemon = startWatched([...nodeFlags, program, 'serve'], settings, { isWatched: false });
  opened.defer(() => daemon.end('SIGKILL'));
  await daemon.says('"message":"serving"');
  const { seconds, closedSeconds, output } = await move(program, { ...settings, ...postgres.env });
  const read = Number(/read ([\d,]+) rows, and none differs/.exec(output)?.[1]?.replaceAll(',', ''));
  if (!(read >= results)) throw new Error(`The last comparison did not read all results.\n${output}`);
  return [
    {
      name: 'time in which the daemon accepts only pings during a move to PostgreSQL',
      value: closedSeconds,
      unit: 's',
      bar: { maxValue: 60 * Math.max(1, read / 1_000_000) },
      detail: `compared ${read.toLocaleString('en')} rows; the whole move took ${seconds.toFixed(1)} s`,
    },
  ];
}

/** Runs `uptimed migrate-to-postgres`, and watches in SQLite when the last part of the move begins and ends. */
async function move(program: string, env: Record<string, string>) {
  const db = new Database(sqliteFile(env['UPTIME_DATA_DIR']!), { readonly: true, timeout: 10_000 });
  const readState = db.prepare<[], string>('select state from database_move').pluck();
  const begunMonoMs = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, program, 'migrate-to-postgres'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  let [closedMonoMs, movedMonoMs] = [NaN, NaN];
  while (child.exitCode === null && child.signalCode === null) {
    const nowMonoMs = performance.now();
    const present = readState.get();
    if (Number.isNaN(closedMonoMs) && (present === 'closing' || present === 'closed')) closedMonoMs = nowMonoMs;
    if (Number.isNaN(movedMonoMs) && present === 'moved') movedMonoMs = nowMonoMs;
    await sleep(pollMs);
  }
  await ended;
  if (Number.isNaN(movedMonoMs)) movedMonoMs = performance.now();
  db.close();
  if (child.exitCode !== 0) throw new Error(`The move ended with code ${child.exitCode}.\n${output}`);
  if (Number.isNaN(closedMonoMs)) throw new Error('The bench did not see the move close SQLite.');
  return {
    seconds: (performance.now() - begunMonoMs) / 1000,
    closedSeconds: (movedMonoMs - closedMonoMs) / 1000,
    output,
  };
}

/** Stores the results of the last hours. */
async function fillResults({ db }: Store): Promise<void> {
  const each = Math.ceil(results / monitors);
  const from = Date.now() - spreadMs;
  await sql`
    with recursive step (n) as (select 0 union all select n + 1 from step where n < ${sql.lit(each - 1)})
    insert into result (monitor, at, region, code, tenths)
    select seq, ${sql.lit(from)} + n * ${sql.lit(Math.floor(spreadMs / each))}, 1, 1, 1000 + n % 500
    from monitor, step`.execute(db);
}

if (import.meta.main) report(await benchMove());
