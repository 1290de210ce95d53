import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readConfig, startDaemon } from '../packages/daemon/src/daemon.ts';
import { initMonitor } from '../packages/daemon/src/lifecycle/monitor-life.ts';
import { fieldColumns } from '../packages/daemon/src/stored-monitors/stored-monitor.ts';
import { newPingToken } from '../packages/daemon/src/resources/secrets.ts';
import { validateMonitor } from '../packages/sdk/src/contract/index.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import { nodeFlags } from '../scripts/build/node-flags.ts';
import { countResults } from './growth/database.ts';
import { ask, answerOf } from './forked-process.ts';
import { type Measurement, median } from './measurement.ts';
import { pingFor } from './steady-pings.ts';

const rounds = 5;
/** The size of both loads: this many checks hang at the same time, or this many checks run each second. */
const monitors = 2000;
const pingsPerSecond = 250;
const seconds = 4;
/** A due time in the far future, in epoch milliseconds. Checks with this due time do not run. */
const never = 9_000_000_000_000;

/** The load of the daemon in addition to pings. */
type Load = 'idle' | 'hanging' | 'checking';

if (process.argv[2] === 'targets') await serveTargets();
if (process.argv[2] === 'daemon') await serveDaemon(Number(process.argv[3]), Number(process.argv[4]));

/**
 * Measures the 99th percentile of the time of a ping, at a steady rate. Measures three situations one after another: no
 * other load, 2,000 checks that hang, and 2,000 http checks per second. The daemon, the targets and the sender of pings
 * run in separate processes.
 */
export async function benchPingUnderLoad(): Promise<Measurement[]> {
  const targets = fork(import.meta.filename, ['targets']);
  const ports = await answerOf<{ silent: number; answering: number }>(targets);
  // The daemon gets the flags for Node that the single executable has.
  const execArgv = [...process.execArgv, ...nodeFlags];
  const daemon = fork(import.meta.filename, ['daemon', String(ports.silent), String(ports.answering)], { execArgv });
  try {
    const pingUrl = await answerOf<string>(daemon);
    const measure = async (load: Load) => {
      const checked = await ask<number>(daemon, load);
      if (load === 'hanging') await ask(targets, 'await all');
      const from = performance.now();
      const p99 = await pingFor(seconds, pingUrl, pingsPerSecond);
      const rate = ((await ask<number>(daemon, 'checked')) - checked) / ((performance.now() - from) / 1000);
      if (load === 'hanging') await ask(targets, 'cut');
      return { p99, rate };
    };
    await measure('idle');
    const taken: Record<Load, { p99: number; rate: number }>[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push({
        idle: await measure('idle'),
        hanging: await measure('hanging'),
        checking: await measure('checking'),
      });
    }
    const p99 = (load: Load) => median(taken.map((round) => round[load].p99));
    const against = (load: Load, name: string): Measurement => ({
      name,
      value: median(taken.map((round) => round[load].p99 / round.idle.p99)),
      unit: '× its idle value',
      bar: { maxValue: 4 },
      detail: `${p99(load).toFixed(1)} ms against ${p99('idle').toFixed(1)} ms; ${median(taken.map((round) => round[load].rate)).toFixed(0)} checks ended a second`,
    });
    return [
      against('hanging', 'p99 of a ping while 2,000 checks hang'),
      against('checking', 'p99 of a ping while 2,000 http checks a second run'),
    ];
  } finally {
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    targets.kill();
    await ended;
  }
}

/** Starts a target that never answers, and a target that answers. */
async function serveTargets(): Promise<void> {
  const sockets = new Set<Socket>();
  let notice = () => {};
  const silent = createTcpServer((socket) => {
    sockets.add(socket);
    socket.resume().on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    notice();
  }).listen(0, '127.0.0.1');
  const answering = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await Promise.all([once(silent, 'listening'), once(answering, 'listening')]);
  process.on('message', (message) => {
    if (message === 'cut') for (const socket of sockets) socket.resetAndDestroy();
    notice = () => {
      if (message === 'await all' && sockets.size < monitors) return;
      notice = () => {};
      process.send?.('done');
    };
    notice();
  });
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  process.send?.({ silent: portOf(silent), answering: portOf(answering) });
}

/**
 * Starts the daemon. If a message names a load, starts this load in place of the earlier one. Replies to every message
 * with the number of checks that have ended since the start of the daemon.
 */
async function serveDaemon(silent: number, answering: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const daemon = await startDaemon(
    readConfig({
      env: { UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, UPTIME_LOG_LEVEL: 'error', UPTIME_RATE_LIMIT: 'off' },
    }),
  );
  const { store } = daemon;
  const token = newPingToken();
  await store.db
    .insertInto('project')
    .values({ id: 'prj', user_id: 'u', name: 'p', api_key: 'k', created_at: 0, updated_at: 0 })
    .execute();
  await insertMonitors(store, { type: 'heartbeat', interval: 3600 }, 'job', () => token, 1);
  const hanging = { type: 'http', url: `http://127.0.0.1:${silent}/`, interval: 3600, timeout: 30 };
  await insertMonitors(store, hanging, 'hanging', newPingToken, monitors);
  const checking = { type: 'http', url: `http://127.0.0.1:${answering}/`, interval: 1, timeout: 10 };
  await insertMonitors(store, checking, 'checking', newPingToken, monitors);

  const { rest, begin, checked } = createLoads(store);
  process.on('message', (message: Load | 'checked') => {
    const answer = async () => {
      if (message !== 'checked') await rest();
      if (message === 'hanging' || message === 'checking') await begin(message);
      process.send?.(await checked());
    };
    void answer();
  });
  process.once('SIGTERM', () => {
    const end = async () => {
      await daemon.close();
      await rm(dataDir, { recursive: true });
      process.exit();
    };
    void end();
  });
  process.send?.(`${daemon.localUrl}/ping/${token}`);
}

/** Stores `count` equal monitors. Their checks run only when a load makes them due. */
async function insertMonitors(store: Store, input: object, name: string, newToken: () => string, count: number) {
  await store.write(async (trx) => {
    const parsed = validateMonitor({ name, ...input });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    for (let made = 0; made < count; made++) {
      const now = Date.now();
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id: `mon_${name}_${made}`,
          project_id: 'prj',
          ...fieldColumns(parsed.value),
          generation: 0,
          token: newToken(),
          created_at: now,
          updated_at: now,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: parsed.value, now });
    }
    await trx.updateTable('schedule').set({ next_at: never }).execute();
  });
}

/** Returns the functions that begin and end the loads. */
function createLoads(store: Store) {
  const rest = async () => {
    for (;;) {
      await store.write((trx) =>
        trx.updateTable('schedule').set({ next_at: never }).where('next_at', '<', never).execute(),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      const busy = await store.db
        .selectFrom('schedule')
        .select('monitor')
        .where((either) => either.or([either('next_at', '<', never), either('lease_until', '>', 0)]))
        .limit(1)
        .execute();
      if (busy.length === 0) return;
    }
  };
  const begin = async (name: string) => {
    const ofThose = store.db.selectFrom('monitor').select('seq').where('name', '=', name);
    const next_at = sql<number>`${sql.lit(Date.now())} + monitor % 1000`;
    await store.db.updateTable('schedule').set({ next_at }).where('monitor', 'in', ofThose).execute();
    await new Promise((resolve) => setTimeout(resolve, 1500));
  };
  const checked = () => countResults(store, 0, never);
  return { rest, begin, checked };
}

if (import.meta.main && process.argv[2] === undefined) console.table(await benchPingUnderLoad());
