import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type Fastify from 'fastify';
import { readConfig, startDaemon } from '../packages/daemon/src/daemon.ts';
import { initMonitor } from '../packages/daemon/src/lifecycle/monitor-life.ts';
import { fieldColumns } from '../packages/daemon/src/stored-monitors/stored-monitor.ts';
import { newPingToken } from '../packages/daemon/src/resources/secrets.ts';
import { validateMonitor } from '../packages/sdk/src/contract/index.ts';
import { nodeFlags } from '../scripts/build/node-flags.ts';
import { type Measurement, median, report } from './measurement.ts';

const rounds = 7;
const connections = 64;
/** There are as many heartbeats as connections, so that the pings of one commit belong to different monitors. */
const heartbeats = 64;

/** As soon as a server runs, it sends this message to the process that measures it. */
interface Started {
  url: string;
  paths: string[];
}

if (process.argv[2] === 'bare') await serveBare();
if (process.argv[2] === 'daemon') await serveDaemon();

/**
 * Compares durably recorded pings per second with requests per second to a Fastify route that does nothing else. Pings
 * use `synchronous=FULL`; one commit contains the pings of up to three turns of the event loop. The two servers run in
 * separate processes. They are measured alternately, with 64 connections.
 */
export async function benchPings(): Promise<Measurement[]> {
  // Both servers get the flags for Node that the single executable has.
  const execArgv = [...process.execArgv, ...nodeFlags];
  const servers = {
    bare: fork(import.meta.filename, ['bare'], { execArgv }),
    daemon: fork(import.meta.filename, ['daemon'], { execArgv }),
  };
  try {
    const started = { bare: await ready(servers.bare), daemon: await ready(servers.daemon) };
    const load = async (which: 'bare' | 'daemon') => {
      const { url, paths } = started[which];
      const before = await cpu(servers[which]);
      let connected = 0;
      const result = await autocannon({
        url,
        connections,
        duration: 3,
        // Each connection pings its own heartbeat. If all connections used one list of heartbeats, they would ping the
        // same heartbeat at the same time.
        setupClient: (client) => client.setRequests([{ method: 'GET', path: paths[connected++ % paths.length]! }]),
      });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${result.non2xx} answers without a status 2xx, and ${result.errors} errors`);
      return { rate: result.requests.average, cpu: ((await cpu(servers[which])) - before) / result.requests.total };
    };
    await load('bare');
    await load('daemon');
    const pairs: Record<'bare' | 'daemon', { rate: number; cpu: number }>[] = [];
    for (let round = 0; round < rounds; round++) pairs.push({ bare: await load('bare'), daemon: await load('daemon') });
    const of = (which: 'bare' | 'daemon', what: 'rate' | 'cpu') => median(pairs.map((pair) => pair[which][what]));
    return [
      {
        name: 'pings durably recorded a second',
        value: median(pairs.map((pair) => pair.daemon.rate / pair.bare.rate)),
        unit: '× a bare Fastify route',
        bar: { minValue: 0.5 },
        detail: `${of('daemon', 'rate').toFixed(0)}/s against ${of('bare', 'rate').toFixed(0)}/s; CPU ${of('daemon', 'cpu').toFixed(1)} µs against ${of('bare', 'cpu').toFixed(1)} µs`,
      },
    ];
  } finally {
    for (const server of Object.values(servers)) server.kill();
  }
}

async function ready(server: ChildProcess): Promise<Started> {
  const [message] = (await once(server, 'message')) as [Started];
  return message;
}

/** Returns the CPU time that the server has used, in microseconds. */
async function cpu(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [used] = (await once(server, 'message')) as [number];
  return used;
}

function answerMeasurements(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
}

async function serveBare(): Promise<void> {
  // Fastify is a dependency of only the daemon, so it is resolved from the daemon's package.
  const { fastify } = createRequire(new URL('../packages/daemon/package.json', import.meta.url))('fastify') as {
    fastify: typeof Fastify;
  };
  const app = fastify();
  app.get('/ping/:token', async (_, reply) => reply.type('application/json; charset=utf-8').send('{"ok":true}'));
  answerMeasurements();
  const url = await app.listen({ port: 0 });
  process.send?.({ url, paths: [`/ping/${newPingToken()}`] });
}

async function serveDaemon(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const daemon = await startDaemon(
    readConfig({
      env: { UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, UPTIME_LOG_LEVEL: 'warn', UPTIME_RATE_LIMIT: 'off' },
    }),
  );
  const parsed = validateMonitor({ type: 'heartbeat', name: 'job', interval: 3600 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const paths: string[] = [];
  await daemon.store.write(async (trx) => {
    await trx
      .insertInto('project')
      .values({ id: 'prj', user_id: 'u', name: 'p', api_key: 'k', created_at: 0, updated_at: 0 })
      .execute();
    for (let i = 0; i < heartbeats; i++) {
      const token = newPingToken();
      const now = Date.now();
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id: `mon_${i}`,
          project_id: 'prj',
          ...fieldColumns(parsed.value),
          generation: 0,
          token,
          created_at: now,
          updated_at: now,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: parsed.value, now });
      paths.push(`/ping/${token}`);
    }
  });
  answerMeasurements();
  process.once(
    'SIGTERM',
    () =>
      void daemon
        .close()
        .then(() => rm(dataDir, { recursive: true }))
        .then(() => process.exit()),
  );
  process.send?.({ url: daemon.url, paths });
}

if (import.meta.main && process.argv[2] === undefined) report(await benchPings());
