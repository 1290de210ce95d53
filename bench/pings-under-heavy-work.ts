import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { dayMs } from '../packages/daemon/src/core/uptime.ts';
import { readConfig, startDaemon } from '../packages/daemon/src/daemon.ts';
import { forgetPast, horizonsAt } from '../packages/daemon/src/recording/forget-past.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import { nodeFlags } from '../scripts/build/node-flags.ts';
import { buildPrograms } from './build-programs.ts';
import { answerOf, ask } from './forked-process.ts';
import { openDatabase } from './growth/database.ts';
import { type Measurement, median, report } from './measurement.ts';
import { pingFor } from './steady-pings.ts';

const rounds = 3;
const [seconds, pingsPerSecond] = [6, 100];
/** Each monitor has a result every 20 s for two weeks. The results of the first week are past the retention. */
const [monitors, everyMs, keptDays, oldDays] = [20, 20_000, 7, 7];
/** Wait between two deletions of old results, as in the retention of a daemon. */
const waitMs = 20;

type Kind = Store['dialect']['name'];

interface Served {
  url: string;
  apiKey: string;
  ping: string;
  monitorIds: string[];
  pageId: string;
  /** An address. Each request to it deletes some old results. */
  forget: string;
}

const works = [
  'a backup',
  'reads of the results of a week',
  'reads of a status page that changes',
  'the deletion of old results',
] as const;
type Work = (typeof works)[number];

/** The argument with which a worker is started. */
type Given = Served & { dataDir: string; programs: string };

if (process.argv[2] === 'daemon') await serve(process.argv[3] as Kind);
if (process.argv[2] === 'worker') work(JSON.parse(process.argv[3]!) as Given);

/**
 * Measures the 99th percentile of the time of a ping during heavy work. The work is a backup, reads of a week's
 * results, edits of a status page, or the deletion of old results. Also compares this percentile on PostgreSQL with
 * that on SQLite.
 */
export async function benchPingsUnderHeavyWork(): Promise<Measurement[]> {
  const programs = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(programs, { recursive: true, force: true }));
  buildPrograms(programs);
  const sqlite = opened.use(await startServed('sqlite', programs));
  const postgres = opened.use(await startServed('postgres', programs));
  const p99 = (of: Served) => pingFor(seconds, of.ping, pingsPerSecond);
  await Promise.all([p99(sqlite), p99(postgres)]);
  const found: Measurement[] = [];
  const compare = async (name: string, maxValue: number, idle: () => Promise<number>, busy: () => Promise<number>) => {
    const pairs: { idle: number; busy: number }[] = [];
    for (let round = 0; round < rounds; round++) pairs.push({ idle: await idle(), busy: await busy() });
    const ms = (what: 'idle' | 'busy') => `${median(pairs.map((pair) => pair[what])).toFixed(1)} ms`;
    const value = median(pairs.map((pair) => pair.busy / pair.idle));
    found.push({ name, value, unit: '×', bar: { maxValue }, detail: `${ms('busy')} against ${ms('idle')}` });
  };
  for (const name of works)
    await compare(
      `p99 of a ping during ${name}, against an idle daemon`,
      4,
      () => p99(sqlite),
      () => during(sqlite.worker, name, () => p99(sqlite)),
    );
  await compare(
    'p99 of a ping on PostgreSQL, against SQLite',
    3,
    () => p99(sqlite),
    () => p99(postgres),
  );
  return found;
}

/** Lets the worker repeat this work while `measure` runs. */
async function during(worker: ChildProcess, name: Work, measure: () => Promise<number>): Promise<number> {
  worker.send(name);
  try {
    return await measure();
  } finally {
    await ask(worker, 'stop');
  }
}

/** Starts a daemon, and a worker that gives it heavy work. */
async function startServed(kind: Kind, programs: string) {
  const opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase(kind, dataDir);
  opened.defer(() => database.close());
  const start = (args: string[], env: NodeJS.ProcessEnv) => {
    const child = fork(import.meta.filename, args, { env, execArgv: [...process.execArgv, ...nodeFlags] });
    opened.defer(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    });
    return child;
  };
  const daemon = start(['daemon', kind], { ...process.env, ...database.env, UPTIME_DATA_DIR: dataDir });
  const served = await answerOf<Served>(daemon);
  const worker = start(['worker', JSON.stringify({ ...served, dataDir, programs })], process.env);
  return { ...served, worker, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/**
 * Repeats the requested work until the message `stop`. It runs in a separate process, so that it does not delay pings.
 */
function work({ url, apiKey, monitorIds, pageId, forget, dataDir, programs }: Given): void {
  const call = async (address: string, init: RequestInit = {}) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await fetch(address, { ...init, headers });
    if (!answer.ok) throw new Error(`${address} returned ${answer.status}.`);
    await answer.arrayBuffer();
  };
  let turn = 0;
  const steps: Record<Work, () => Promise<void>> = {
    'a backup': () => backUp(join(programs, 'uptimed.js'), dataDir),
    'reads of the results of a week': () =>
      call(`${url}/api/monitors/${monitorIds[turn++ % monitors]}/response-times?limit=1000`),
    'reads of a status page that changes': async () => {
      const description = `Change ${turn++}.`;
      await call(`${url}/api/status-pages/${pageId}`, { method: 'PATCH', body: JSON.stringify({ description }) });
      await call(`${url}/status/bench`);
    },
    'the deletion of old results': () => call(forget),
  };
  let stopping = new AbortController();
  const repeat = async (name: Work, { signal }: AbortController) => {
    while (!signal.aborted) await steps[name]();
    process.send?.('stopped');
  };
  process.on('message', (message: Work | 'stop') => {
    if (message === 'stop') return stopping.abort();
    stopping = new AbortController();
    void repeat(message, stopping);
  });
}

/** Backs up the data in a separate process, as an operator does. */
async function backUp(program: string, dataDir: string): Promise<void> {
  const args = [program, 'backup', '--data-dir', dataDir, '--force', join(dataDir, 'copy.db')];
  const [code] = (await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`The backup ended with code ${code}.`);
}

/** Starts the daemon with many stored results, and a server with an address at which the worker deletes old results. */
async function serve(kind: Kind): Promise<void> {
  const settings = { UPTIME_PORT: '0', UPTIME_LOG_LEVEL: 'error', UPTIME_RATE_LIMIT: 'off' };
  const daemon = await startDaemon(readConfig({ env: { ...process.env, ...settings } }));
  const { store } = daemon;
  const project = await createProject(daemon.localUrl);
  await fillResults(store, kind);
  const rows = await store.db.selectFrom('monitor').select('seq').where('type', '=', 'http').execute();
  let turn = 0;
  const forget = async () => {
    const { seq } = rows[turn++ % rows.length]!;
    await store.write((trx) => forgetPast(trx, seq, horizonsAt(Date.now(), keptDays), store.dialect));
    await sleep(waitMs);
  };
  const server = createServer((_, response) => void forget().then(() => response.end('done')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  process.once('SIGTERM', () => void daemon.close().then(() => process.exit()));
  process.send?.({ ...project, forget: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}

/** Signs up, and creates a heartbeat, monitors that are not checked, and a status page with all of them. */
async function createProject(url: string): Promise<Omit<Served, 'forget'>> {
  let headers: Record<string, string> = { 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
    const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]!);
    return { cookie: cookie.join('; '), body: (await answer.json()) as Record<string, string> };
  };
  const person = { name: 'bench', email: 'bench@example.com', password: 'correct horse' };
  const { cookie } = await post('/api/auth/sign-up/email', person);
  headers = { ...headers, cookie, origin: url };
  const apiKey = (await post('/api/projects', { name: 'bench' })).body['apiKey']!;
  headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const monitorIds: string[] = [];
  for (let n = 0; n < monitors; n++) {
    const fields = { type: 'http', name: `Site ${n}`, url: 'http://127.0.0.1:1/', paused: true };
    monitorIds.push((await post('/api/monitors', fields)).body['id']!);
  }
  const heartbeat = await post('/api/monitors', { type: 'heartbeat', name: 'Job', interval: 3600 });
  const page = await post('/api/status-pages', { name: 'Bench', slug: 'bench', monitorIds });
  return { url, apiKey, ping: heartbeat.body['pingUrl']!, monitorIds, pageId: page.body['id']! };
}

async function fillResults(store: Store, kind: Kind): Promise<void> {
  const steps = ((keptDays + oldDays) * dayMs) / everyMs;
  const series = sql.raw(
    kind === 'postgres'
      ? `generate_series(0, ${steps - 1}) as step(n)`
      : `(with recursive s(n) as (select 0 union all select n + 1 from s where n < ${steps - 1}) select n from s) as step`,
  );
  const from = Date.now() - (keptDays + oldDays) * dayMs;
  await sql`
    insert into result (monitor, at, region, code, tenths)
    select monitor.seq, ${sql.lit(from)} + step.n * ${sql.lit(everyMs)}, 1, 1, 1000 + step.n % 500
    from monitor, ${series} where monitor.type = 'http'`.execute(store.db);
}

if (import.meta.main && process.argv[2] === undefined) report(await benchPingsUnderHeavyWork());
