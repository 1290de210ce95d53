import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '../../scripts/build/node-flags.ts';
import { countResults, openDatabase } from './database.ts';
import { fillMonitors } from './fill-monitors.ts';
import { latenessOf, type Lateness } from './lateness.ts';
import { dueRate, type Load } from './load.ts';
import { cpuMicrosOfTree, writtenBytes, writtenBytesOfTree } from './system-figures.ts';
import type { Arrival } from './target.ts';
import { startWatched, type Usage, type WatchedProcess } from './watched-process.ts';

/** The costs of a load, measured in the processes that cause them. A cost is null if the system does not report it. */
export interface Growth {
  load: Load;
  storedPerSecond: number;
  /** Processor time in microseconds: of a check in the daemons, and of a bare request at the same rate. */
  checkMicros: number;
  bareMicros: number;
  /** Processor time of PostgreSQL for a check; 0 on SQLite. */
  databaseMicros: number | null;
  late: Lateness;
  /** Bytes that daemons and database wrote to the disk for a check. */
  writtenBytes: number | null;
  /** Memory of one daemon. */
  rssBytes: number;
  heapUsedBytes: number;
  externalBytes: number;
  longestTurnMs: number;
  /** The share of monitors that are checked within an interval after a restart. */
  caughtUp: number;
}

/** A daemon may take `startMs` milliseconds to start, and `startOfMonitorMs` more for each monitor. */
const startMs = 3000;
const startOfMonitorMs = 0.05;

export async function measureLoad(load: Load, program: string): Promise<Growth> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const database = await openDatabase(load.database, dataDir);
  opened.defer(() => database.close());

  const start = (args: readonly string[], env?: Record<string, string>) => {
    const started = startWatched(args, env);
    opened.defer(() => started.end('SIGKILL'));
    return started;
  };
  const target = start([join(import.meta.dirname, 'target.ts'), String(load.answerMs)]);
  const url = `http://127.0.0.1:${await target.message<number>('port')}`;
  await database.use((store) =>
    fillMonitors(store, {
      target: url,
      monitors: load.monitors,
      intervalSeconds: load.intervalSeconds,
      firstAt: Date.now() + startMs + load.monitors * startOfMonitorMs,
    }),
  );
  const bare = await startBare(start);

  const before = await bareCost(bare, url, load, { warmSeconds: load.warmSeconds, seconds: load.seconds / 2 });
  const startDaemon = (n: number) => {
    const folder = load.daemons === 1 ? dataDir : join(dataDir, String(n));
    return servingDaemon(start, program, { UPTIME_DATA_DIR: folder, ...database.env });
  };
  const daemons: WatchedProcess[] = [];
  for (let n = 0; n < load.daemons; n++) daemons.push(await startDaemon(n));
  await sleep(startMs + load.monitors * startOfMonitorMs + load.warmSeconds * 1000);

  const usages = () => Promise.all(daemons.map((one) => one.usage()));
  const written = () =>
    database.serverPid === null
      ? sumOf(daemons.map(({ pid }) => writtenBytes(pid)))
      : sumOf([writtenBytesOfTree(database.serverPid), ...daemons.map(({ pid }) => writtenBytes(pid))]);
  const databaseCpu = () => (database.serverPid === null ? 0 : cpuMicrosOfTree(database.serverPid));
  for (const daemon of daemons) daemon.send('reset');
  const begin = { at: Date.now(), usages: await usages(), written: written(), databaseCpu: databaseCpu() };
  await sleep(load.seconds * 1000);
  const end = { at: Date.now(), usages: await usages(), written: written(), databaseCpu: databaseCpu() };
  for (const daemon of daemons) await daemon.end('SIGTERM');

  const arrivals = (await arrivalsAt(target)).filter(([monitor, at]) => monitor > 0 && at >= begin.at && at < end.at);
  const stored = await database.use((store) => countResults(store, begin.at, end.at));
  const caughtUp = await measureRestart(load, target, startDaemon);
  const after = await bareCost(bare, url, load, { warmSeconds: load.seconds / 8, seconds: load.seconds / 2 });
  const cpu = (at: typeof begin) => at.usages.reduce((sum, usage) => sum + usage.cpuMicros, 0);
  const perCheck = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / stored;
  return {
    load,
    storedPerSecond: (stored * 1000) / (end.at - begin.at),
    checkMicros: (cpu(end) - cpu(begin)) / stored,
    bareMicros: (before + after) / 2,
    databaseMicros: perCheck(begin.databaseCpu, end.databaseCpu),
    late: latenessOf(arrivals, load),
    writtenBytes: perCheck(begin.written, end.written),
    ...largestOf(end.usages),
    caughtUp,
  };
}

async function startBare(start: (args: readonly string[]) => WatchedProcess): Promise<WatchedProcess> {
  const bare = start([...nodeFlags, join(import.meta.dirname, 'bare-requests.ts')]);
  await bare.message('ready');
  return bare;
}

/** Returns the checks that arrived at the target since the last call. */
function arrivalsAt(target: WatchedProcess): Promise<Arrival[]> {
  const arrived = target.message<Arrival[]>('arrivals');
  target.send('arrivals');
  return arrived;
}

/** Starts the daemons again, and returns the share of monitors whose check arrives within an interval. */
async function measureRestart(
  { daemons, monitors, intervalSeconds }: Load,
  target: WatchedProcess,
  startDaemon: (n: number) => Promise<WatchedProcess>,
): Promise<number> {
  const started = await Promise.all(Array.from({ length: daemons }, (_, n) => startDaemon(n)));
  const serving = Date.now();
  await sleep(intervalSeconds * 1000);
  const arrived = await arrivalsAt(target);
  const checked = new Set(
    arrived.filter(([, at]) => at <= serving + intervalSeconds * 1000).map(([monitor]) => monitor),
  );
  for (const daemon of started) await daemon.end('SIGTERM');
  return [...checked].filter((monitor) => monitor > 0).length / monitors;
}

/** Returns the highest value of each figure among the daemons. */
function largestOf(usages: readonly Usage[]) {
  const largest = (key: 'rssBytes' | 'heapUsedBytes' | 'externalBytes' | 'longestTurnMs') =>
    Math.max(...usages.map((usage) => usage[key]));
  return {
    rssBytes: largest('rssBytes'),
    heapUsedBytes: largest('heapUsedBytes'),
    externalBytes: largest('externalBytes'),
    longestTurnMs: largest('longestTurnMs'),
  };
}

async function servingDaemon(
  start: (args: readonly string[], env: Record<string, string>) => WatchedProcess,
  program: string,
  env: Record<string, string>,
): Promise<WatchedProcess> {
  const daemon = start([...nodeFlags, program, 'serve'], { UPTIME_PORT: '0', UPTIME_RATE_LIMIT: 'off', ...env });
  await daemon.says('"message":"serving"');
  return daemon;
}

/** Returns the processor time of a bare request in microseconds, at the rate of the checks, after a warm-up. */
async function bareCost(
  bare: WatchedProcess,
  url: string,
  load: Load,
  { warmSeconds, seconds }: Pick<Load, 'warmSeconds' | 'seconds'>,
): Promise<number> {
  const send = async (length: number) => {
    const done = bare.message<number>('sent');
    bare.send({ url: `${url}/0`, perSecond: dueRate(load), seconds: length });
    return done;
  };
  await send(warmSeconds);
  const from = await bare.usage();
  const sent = await send(seconds);
  const to = await bare.usage();
  return (to.cpuMicros - from.cpuMicros) / sent;
}

const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);
