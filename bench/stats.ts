import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { createStatsReader } from '../packages/daemon/src/resources/monitor-past/stats.ts';
import { openStore } from '../packages/daemon/src/store/open-store.ts';
import { sqliteFile } from '../packages/daemon/src/store/sqlite.ts';
import { type Measurement, median, report } from './measurement.ts';

const Database = createRequire(new URL('../packages/daemon/package.json', import.meta.url))(
  'better-sqlite3',
) as typeof BetterSqlite3;

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
/** The number of results of each monitor: 30 days of one check a minute. */
const perMonitor = 43_200;
/** The full measurement has 1,000 monitors (UPTIME_BENCH_MONITORS=1000), with 43 million results. */
const monitors = Number(process.env['UPTIME_BENCH_MONITORS'] ?? 100);
const rounds = 9;

/** Compares the API's statistics of one monitor over 24 h, 7 d and 30 d with a scan of its raw results. */
export async function benchStats(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const store = await openStore({ dataDir, log });
  const raw = new Database(sqliteFile(dataDir));
  const now = Date.now();
  try {
    fill(raw, now);
    const scan = raw.prepare(
      `select count(*) as checks, sum(code <> 1) as failed, avg(tenths) as mean from result where monitor = ? and at >= ?`,
    );
    // `scan` and `p95` do less than the API. For example, `scan` only counts the failed checks, but the API's uptime is
    // a share of time.
    const p95 = raw.prepare(
      `select tenths from result where monitor = ? and at >= ? and code = 1 order by tenths limit 1 offset 1368`,
    );
    // Each call asks for another monitor, so that no call uses a cache that the previous call filled.
    let turn = 0;
    const another = () => 1 + ((turn++ * 37) % monitors);
    const scanned = () => {
      const monitor = another();
      for (const days of [1, 7, 30]) scan.get(monitor, now - days * 86_400_000);
      p95.get(monitor, now - 86_400_000);
    };
    const readStats = createStatsReader(store);
    const ours = () => readStats(another(), now);
    const timed = async (count: number, work: () => unknown) => {
      const from = performance.now();
      for (let i = 0; i < count; i++) await work();
      return (performance.now() - from) / count;
    };
    await timed(5, scanned);
    await timed(50, ours);
    const pairs: { scan: number; ours: number }[] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push({ scan: await timed(10, scanned), ours: await timed(100, ours) });
    const value = median(pairs.map((pair) => pair.scan / pair.ours));
    const ms = (kind: 'scan' | 'ours') => `${median(pairs.map((pair) => pair[kind])).toFixed(2)} ms`;
    return [
      {
        name: 'stats of a monitor with 43,200 results',
        value,
        unit: '× faster than a raw scan',
        bar: { minValue: 50 },
        detail: `${ms('ours')} against ${ms('scan')}, among ${((monitors * perMonitor) / 1e6).toFixed(1)} million results`,
      },
    ];
  } finally {
    raw.close();
    await store.close();
    await rm(dataDir, { recursive: true });
  }
}

function fill(raw: BetterSqlite3.Database, now: number): void {
  raw.pragma('synchronous = off');
  raw.exec(`insert into region (name, seen_at) values ('default', 1)`);
  raw.exec(
    `insert into project (id, user_id, name, api_key, created_at, updated_at) values ('prj', 'u', 'p', 'k', 0, 0)`,
  );
  const monitor = raw.prepare(
    `insert into monitor (id, project_id, name, type, config, generation, created_at, updated_at) values (?, 'prj', 'm', 'http', '{}', 0, 0, 0)`,
  );
  const state = raw.prepare(
    `insert into monitor_state (monitor, status, since, failures, regions, watched_since, rolled_up_until) values (?, 'up', 0, 0, '{}', 0, ?)`,
  );
  const result = raw.prepare('insert into result (monitor, at, region, code, tenths) values (?, ?, 1, ?, ?)');
  const day = raw.prepare('insert into observed_day (monitor, period, up_ms, down_ms) values (?, ?, 86160000, 240000)');
  const observed = raw.prepare(
    'insert into observed_hour (monitor, period, up_ms, down_ms) values (?, ?, 3590000, 10000)',
  );
  const hour = raw.prepare(
    'insert into check_hour (hour, monitor, region, checks, failed, tenths_sum) values (?, ?, 1, 60, 1, 6000)',
  );
  const histogram = raw.prepare(
    'insert into response_histogram (hour, monitor, bucket, count, tenths_sum) values (?, ?, ?, 20, 2000)',
  );
  const first = now - perMonitor * 60_000;
  for (let seq = 1; seq <= monitors; seq++) {
    raw.transaction(() => {
      monitor.run(`mon_${seq}`);
      state.run(seq, now - 1000);
      for (let i = 0; i < perMonitor; i++)
        result.run(seq, first + i * 60_000 + seq, i % 997 === 0 ? 66 : 1, 80 + (i % 50));
      for (let d = Math.floor(first / 86_400_000); d <= now / 86_400_000; d++) day.run(seq, d);
      for (let h = Math.floor(first / 3_600_000); h <= now / 3_600_000; h++) {
        observed.run(seq, h);
        hour.run(h, seq);
        if (h > now / 3_600_000 - 48) for (const bucket of [46, 47, 48]) histogram.run(h, seq, bucket);
      }
    })();
  }
}

if (import.meta.main) report(await benchStats());
