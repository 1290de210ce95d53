import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { readConfig, startDaemon, type Daemon } from '../daemon.ts';
import { dayMs } from '../core/uptime.ts';
import { firstPartition, otherPartition } from '../store/result-partitions.ts';
import type { Store } from '../store/store.ts';
import { cheapPasswords } from '../testing/cheap-passwords.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { createFakeProbe, type FakeProbe } from '../testing/fake-probe.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { noDownloads } from '../testing/never-called.ts';
import { partitionedPostgres, partitionsOfResults } from '../testing/partitioned-postgres.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { runMove } from './command.ts';
import { allResults } from '../testing/all-results.ts';

/** A PostgreSQL in which the table of results was partitioned a month ago. */
const postgres = partitionedPostgres(29);
const settings = { UPTIME_SECRET_KEY: 'a secret of this test, long enough for all' };
const never = new AbortController().signal;

let daemon: TestDaemon;
let database: TestDatabase;
beforeEach(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, env: settings });
  database = await postgres.open();
});
afterEach(async () => {
  await daemon.close();
  await database.dispose();
});

const move = async (args: string[] = [], stopping = never, lines: string[] = []) => {
  const to = ['--to', database.options.databaseUrl!];
  const print = (line: string) => void lines.push(line);
  await runMove(['--data-dir', daemon.dataDir, ...(args.length > 0 ? args : to)], { env: {}, print, stopping });
  return lines;
};

/** Starts a daemon on PostgreSQL with the same data folder, as the operator does after a move. */
const startMoved = (dataDir = daemon.dataDir): Promise<Daemon> =>
  startDaemon(
    readConfig({
      env: {
        ...settings,
        UPTIME_PORT: '0',
        UPTIME_DATA_DIR: dataDir,
        UPTIME_RATE_LIMIT: 'off',
        UPTIME_DATABASE_URL: database.options.databaseUrl,
      },
    }),
    { log: silentLog, passwords: cheapPasswords, downloads: noDownloads, runCheck: passingCheck },
  );

const create = async (path: string, body: object) => {
  const { status, body: answer } = await daemon.request('POST', `/api/${path}`, body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer as { id: string; pingUrl: string };
};

/** Creates one resource of each kind, with results, pings and an outage. */
async function fill() {
  const target = await create('monitors', {
    type: 'http',
    name: 'Shop \u{1F600} é',
    url: 'http://a.example/',
    headers: { Authorization: 'hush' },
    interval: 1,
  });
  const job = await create('monitors', { type: 'heartbeat', name: 'Job', interval: 60 });
  const channel = await create('notification-channels', {
    type: 'webhook',
    name: 'Hook',
    config: { url: 'http://127.0.0.1:9/' },
  });
  await create('alert-rules', { name: 'All', monitorIds: [target.id, job.id], channelIds: [channel.id] });
  await create('status-pages', { name: 'Page', slug: 'page', monitorIds: [job.id, target.id] });
  await create('incidents', { title: 'Slow', message: 'We look at it.', monitorIds: [target.id] });
  const ping = new URL(job.pingUrl).pathname;
  expect((await daemon.request('POST', ping, { rows: 7 })).status).toBe(200);
  expect((await daemon.request('POST', `${ping}/fail`)).status).toBe(200);
  expect((await daemon.request('POST', ping)).status).toBe(200);
  await vi.waitFor(async () => expect((await allResults(daemon.store)).length).toBeGreaterThan(0), 20_000);
  return { target, job, ping };
}

const countOf = async ({ db }: Store, table: string) => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]!.count;
};

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

const read = async (base: string, path: string) => {
  const response = await fetch(base + path, { headers: { 'x-api-key': daemon.apiKey } });
  expect(response.status, path).toBe(200);
  return response.json();
};

test('a move copies every row while the daemon runs, and the next start takes over the pings that the move did not copy', async () => {
  const { target, job, ping } = await fill();
  const sending = new AbortController();
  let acknowledged = 3;
  const pinging = (async () => {
    while (!sending.signal.aborted) {
      const { status } = await fetch(daemon.url + ping, { method: 'POST' });
      expect(status).toBe(200);
      acknowledged++;
    }
  })();
  const lines = await move();
  expect(lines.at(-1)).toMatch(/^Done\. The last comparison read [\d,]+ rows, and none differs\./);
  // The old daemon accepts pings and refuses all other writes.
  await fetch(daemon.url + ping, { method: 'POST' });
  acknowledged++;
  sending.abort();
  await pinging;
  const refused = await daemon.request('DELETE', `/api/monitors/${target.id}`);
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const paths = ['monitors', 'notification-channels', 'alert-rules', 'status-pages', 'incidents', 'alert-history'];
  const own = [
    `monitors/${target.id}/response-times`,
    `monitors/${job.id}/events`,
    `monitors/${target.id}/daily-uptime`,
  ];
  const before = await Promise.all([...paths, ...own].map((path) => read(daemon.url, `/api/${path}`)));
  const results = (await allResults(daemon.store)).length;
  // `restart` stops the old daemon and starts another one with SQLite in the same folder. This start fails.
  await expect(daemon.restart()).rejects.toThrow('was moved to PostgreSQL');

  const moved = await startMoved();
  try {
    expect(await countOf(moved.store, 'ping')).toBe(acknowledged);
    expect((await allResults(moved.store)).length).toBeGreaterThanOrEqual(results);
    const after = await Promise.all([...paths, ...own].map((path) => read(moved.localUrl, `/api/${path}`)));
    const stable = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, one: unknown) =>
          /^(lastCheckedAt|nextCheckAt|lastPingAt|pingUrl|url|cname)$/.test(name) ? undefined : one,
        ),
      ) as unknown[];
    paths.forEach((path, at) => expect(stable(after[at]), path).toEqual(stable(before[at])));
    expect(stable(after[paths.length])).toEqual(expect.arrayContaining(stable(before[paths.length])));
    expect(after[paths.length + 1]).toEqual(before[paths.length + 1]);
    // Sessions from before the move are still valid, and new rows get higher numbers than the moved rows.
    const session = await fetch(`${moved.localUrl}/api/auth/get-session`, { headers: { cookie: daemon.cookie } });
    expect(await session.json()).toMatchObject({ user: { email: daemon.email } });
    const added = await fetch(`${moved.localUrl}/api/monitors`, {
      method: 'POST',
      headers: { 'x-api-key': daemon.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'heartbeat', name: 'Later', interval: 60 }),
    });
    expect(added.status).toBe(201);
  } finally {
    await moved.close();
  }
});

test('after the last copy the daemon refuses the calls of probes, and the results of a probe that waited count in PostgreSQL', async () => {
  const { join, create: createMonitor } = probesOf(() => daemon);
  const [known, newcomer] = [await join('eu'), await join('eu')];
  const { monitor } = await createMonitor({ regions: ['eu'], interval: 1 });
  expect(await known.sync()).toMatchObject({ status: 200 });
  await move();
  const refused = { status: 503, body: { code: 'unavailable' } };
  for (const probe of [newcomer, known]) {
    const answer = await probe.sync({ joins: true });
    expect(answer).toMatchObject(refused);
    expect(answer.headers.get('retry-after')).toBe('30');
  }
  const checkedAt = Date.now();
  expect(await known.send([{ monitor, at: checkedAt }])).toMatchObject(refused);
  const probes = await daemon.store.db.selectFrom('probe').selectAll().execute();
  expect(probes.map(({ name }) => name)).toEqual([known.name]);
  await expect(daemon.restart()).rejects.toThrow('was moved to PostgreSQL');

  const moved = await startMoved();
  try {
    const onMoved = ({ token, ownName }: FakeProbe) => createFakeProbe({ url: moved.localUrl }, token, ownName);
    expect(await moved.store.db.selectFrom('probe').selectAll().execute()).toEqual(probes);
    const returned = onMoved(known);
    expect(await returned.sync({ joins: true })).toMatchObject({ status: 200 });
    expect(await returned.send([{ monitor, at: checkedAt }])).toMatchObject({ status: 200, body: { ignored: 0 } });
    expect((await allResults(moved.store)).map(({ at }) => at)).toEqual([checkedAt]);
    expect(await onMoved(newcomer).sync({ joins: true })).toMatchObject({ status: 200 });
  } finally {
    await moved.close();
  }
});

test('after a move, both databases have the same rows in every table, even in the partitions of results', async () => {
  await fill();
  const today = Math.floor(Date.now() / dayMs);
  // Each of these days has its own partition of results: the first partition, two daily partitions, and the default
  // partition.
  for (const day of [today - 60, today - 20, today - 19, today + 60]) {
    const result = { monitor: 1, at: day * dayMs, region: 1, code: 0, tenths: 1 };
    await daemon.store.db.insertInto('result').values(result).execute();
  }
  await move();
  expect(await partitionsOfResults(database.store)).toEqual(
    expect.arrayContaining([firstPartition, otherPartition, `result_${today - 20}`, `result_${today - 19}`]),
  );
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'uptime_migration%'
      and name not in ('database_move', 'schedule_change')`.execute(daemon.store.db);
  const counts = (store: Store) =>
    Promise.all(tables.rows.map(async ({ name }) => [name, await countOf(store, name)] as const));
  const sqlite = await counts(daemon.store);
  expect(await counts(database.store)).toEqual(sqlite);
  for (const table of ['monitor', 'monitor_state', 'channel', 'alert', 'result', 'ping', 'status_change'] as const) {
    const rows = (store: Store) => store.db.selectFrom(table).selectAll().execute();
    const inOrder = (all: object[]) =>
      all.map((row) => JSON.stringify(Object.entries(row).toSorted(byName))).toSorted();
    expect(inOrder(await rows(database.store)), table).toEqual(inOrder(await rows(daemon.store)));
  }
  const users = (store: Store) => sql<{ email: string }>`select email from "user"`.execute(store.db);
  expect((await users(database.store)).rows).toEqual((await users(daemon.store)).rows);
});

test('after an interrupted move the daemon continues with SQLite, and a second attempt completes the move', async () => {
  await fill();
  const stopping = new AbortController();
  const lines: string[] = [];
  const interrupted = move([], stopping.signal, {
    push(line: string) {
      if (line.startsWith('3/3')) stopping.abort(new Error('interrupted'));
      return lines.length;
    },
  } as string[]);
  await expect(interrupted).rejects.toThrow('interrupted');
  await vi.waitFor(async () => {
    const { status } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'New', interval: 60 });
    expect(status).toBe(201);
  }, 20_000);
  const checked = (await allResults(daemon.store)).length;
  await vi.waitFor(async () => expect((await allResults(daemon.store)).length).toBeGreaterThan(checked), 20_000);
  await move();
  expect(await countOf(database.store, 'monitor')).toBe(await countOf(daemon.store, 'monitor'));
});

test('after a move, a daemon starts with SQLite again only if the move is undone', async () => {
  await fill();
  await daemon.restart();
  await move();
  await expect(daemon.restart()).rejects.toThrow('The data of this folder was moved to PostgreSQL.');
  await expect(move()).rejects.toThrow('was moved to this PostgreSQL already');
  expect(await move(['--undo'])).toEqual([expect.stringMatching(/is in use again/)]);
  await expect(move(['--undo'])).rejects.toThrow('was not moved');
  await daemon.restart();
  expect((await daemon.request('GET', '/api/monitors')).status).toBe(200);
});

test('migrate-to-postgres refuses a PostgreSQL that is in use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-other-'));
  const other = await startMoved(folder);
  const headers = { 'content-type': 'application/json' };
  const person = { name: 'Eve', email: 'eve@example.com', password: 'correct horse' };
  const signedUp = await fetch(`${other.localUrl}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
  });
  const cookie = signedUp.headers.getSetCookie().join('; ');
  const made = await fetch(`${other.localUrl}/api/projects`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'Eve' }),
  });
  expect(made.status).toBe(201);
  await other.close();
  await rm(folder, { recursive: true });
  await expect(move()).rejects.toThrow('This PostgreSQL is in use: it has projects.');
});
