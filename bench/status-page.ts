import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Fastify from 'fastify';
import type { Transaction } from 'kysely';
import { readConfig, startDaemon } from '../packages/daemon/src/daemon.ts';
import { initMonitor } from '../packages/daemon/src/lifecycle/monitor-life.ts';
import { fieldColumns } from '../packages/daemon/src/stored-monitors/stored-monitor.ts';
import { createPageLoader } from '../packages/daemon/src/status-page/load-page.ts';
import { createForms } from '../packages/daemon/src/status-page/forms.ts';
import { openStore } from '../packages/daemon/src/store/open-store.ts';
import type { Store } from '../packages/daemon/src/store/store.ts';
import type { Tables } from '../packages/daemon/src/store/tables.ts';
import { validateMonitor } from '../packages/sdk/src/contract/index.ts';
import { type Measurement, median, report } from './measurement.ts';

const monitors = 200;
const renders = 40;
const rounds = 9;
const requests = 1000;
const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const links = {
  self: '/status/shop',
  json: '/shop.json',
  feed: '/shop.atom',
  badge: '/shop.svg',
  base: '/status/shop',
};

if (process.argv[2] === 'bare') await serveBare(Number(process.argv[3]));
if (process.argv[2] === 'daemon') await serveDaemon();

/**
 * Measures a public page of 200 monitors over 90 days: the time to render it, and the rate of answers from the cache.
 */
export async function benchStatusPage(): Promise<Measurement[]> {
  return [await benchMade(), await benchServed()];
}

async function benchMade(): Promise<Measurement> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const store = await openStore({ dataDir, log });
  try {
    await fill(store);
    const [load, formOf] = [createPageLoader(store), createForms()];
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < renders; round++) {
      const from = performance.now();
      const view = await load('shop', Date.now());
      const { pieces } = formOf({ kind: 'page', view: view! }, 'html', { links, from: 0 });
      bytes = Buffer.byteLength([...pieces].join(''));
      times.push(performance.now() - from);
    }
    return {
      name: `a status page of ${monitors} monitors over 90 days, read and rendered`,
      value: median(times.slice(5)),
      unit: 'ms',
      bar: { maxValue: 15 },
      detail: `median of ${renders - 5} once warm, ${times[0]!.toFixed(0)} ms the first time; ${(bytes / 1000).toFixed(0)} kB before compression`,
    };
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
  }
}

async function benchServed(): Promise<Measurement> {
  const daemon = fork(import.meta.filename, ['daemon']);
  const servers: ChildProcess[] = [daemon];
  try {
    const page = await ready(daemon);
    const size = await ask(page);
    const bare = fork(import.meta.filename, ['bare', String(size)]);
    servers.push(bare);
    const route = await ready(bare);
    const rate = async (url: string) => {
      const from = performance.now();
      for (let request = 0; request < requests; request++) await ask(url);
      return requests / ((performance.now() - from) / 1000);
    };
    await rate(route);
    await rate(page);
    const pairs: { page: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round++) pairs.push({ bare: await rate(route), page: await rate(page) });
    return {
      name: `status pages sent from the cache, ${requests} requests in a row`,
      value: median(pairs.map((pair) => pair.page / pair.bare)),
      unit: '× a bare Fastify route',
      bar: { minValue: 0.5 },
      detail: `${median(pairs.map((pair) => pair.page)).toFixed(0)}/s against ${median(pairs.map((pair) => pair.bare)).toFixed(0)}/s, ${size} bytes each`,
    };
  } finally {
    agent.destroy();
    for (const server of servers) server.kill();
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Requests the page as a browser does, and returns the number of bytes received. */
const ask = (url: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, { agent, headers: { 'accept-encoding': 'gzip, deflate, br' } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} returned ${answer.statusCode}`));
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
  });

async function ready(server: ChildProcess): Promise<string> {
  const [url] = (await once(server, 'message')) as [string];
  return url;
}

async function serveBare(size: number): Promise<void> {
  // Fastify is a dependency of only the daemon, so it is resolved from the daemon's package.
  const { fastify } = createRequire(new URL('../packages/daemon/package.json', import.meta.url))('fastify') as {
    fastify: typeof Fastify;
  };
  const app = fastify();
  const body = Buffer.alloc(size, 'a');
  app.get('/status/:slug', async (_, reply) => reply.type('text/html; charset=utf-8').send(body));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.(`${url}/status/shop`);
}

async function serveDaemon(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const env = { UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, UPTIME_LOG_LEVEL: 'warn', UPTIME_RATE_LIMIT: 'off' };
  const daemon = await startDaemon(readConfig({ env }));
  await fill(daemon.store);
  process.once(
    'SIGTERM',
    () =>
      void daemon
        .close()
        .then(() => rm(dataDir, { recursive: true }))
        .then(() => process.exit()),
  );
  process.send?.(`${daemon.localUrl}/status/shop`);
}

/** Stores a status page with monitors that have a history of 90 days, some of them with outages. */
async function fill(store: Store): Promise<void> {
  const now = Date.now();
  const parsed = validateMonitor({ type: 'heartbeat', name: 'job', interval: 86_400 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  await store.write(async (trx) => {
    await trx
      .insertInto('project')
      .values({ id: 'prj', user_id: 'u', name: 'p', api_key: 'k', created_at: 0, updated_at: 0 })
      .execute();
    const { seq: page } = await trx
      .insertInto('status_page')
      .values({ id: 'pag', project_id: 'prj', name: 'Shop', slug: 'shop', created_at: 0, updated_at: 0 })
      .returning('seq')
      .executeTakeFirstOrThrow();
    for (let position = 0; position < monitors; position++) {
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id: `mon_${position}`,
          project_id: 'prj',
          ...fieldColumns(parsed.value),
          // The type is `http`, because the page shows response times for it. No check runs in this benchmark.
          type: 'http',
          name: `Service ${position}`,
          generation: 0,
          created_at: now,
          updated_at: now,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: parsed.value, now });
      await trx.updateTable('monitor_state').set({ status: 'up' }).where('monitor', '=', seq).execute();
      await trx.insertInto('status_page_monitor').values({ page, monitor: seq, position }).execute();
      await addPast(trx, seq, position);
    }
  });
}

/** Stores the daily counts of a monitor for 90 days and the hourly counts for 24 hours, some with outages. */
async function addPast(trx: Transaction<Tables>, seq: number, position: number): Promise<void> {
  const now = Date.now();
  const [today, hour] = [Math.floor(now / 86_400_000), Math.floor(now / 3_600_000)];
  const down = (ago: number) => ((ago * 7 + position * 3) % 29 === 0 ? 3_000_000 : 0);
  await trx
    .insertInto('observed_day')
    .values(
      Array.from({ length: 90 }, (_, ago) => ({
        monitor: seq,
        period: today - ago,
        up_ms: 86_400_000 - down(ago),
        down_ms: down(ago),
        maintenance_ms: 0,
      })),
    )
    .execute();
  await trx
    .insertInto('check_hour')
    .values(
      Array.from({ length: 24 }, (_, ago) => ({
        hour: hour - ago,
        monitor: seq,
        region: 1,
        checks: 60,
        failed: 0,
        tenths_sum: 60 * (800 + ((ago * 37 + position) % 60)),
      })),
    )
    .execute();
}

if (import.meta.main && process.argv[2] === undefined) report(await benchStatusPage());
