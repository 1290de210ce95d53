import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ProbeProgram, startProbeProgram } from '../testing/probe-program.ts';
import { switchedTarget, type SwitchedTarget } from '../testing/targets/switched.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { cutProbe } from '../testing/cut-probe.ts';
import { killProbe } from '../testing/kill-probe.ts';
import { beginMove, giveUpMove } from '../store/database-move.ts';
import { openStore } from '../store/open-store.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';

const waiting = { timeout: 20_000, interval: 50 };
let daemon: TestDaemon;
let target: SwitchedTarget;
let folder: string;
const running = new Set<ProbeProgram>();

beforeAll(async () => {
  daemon = await createTestDaemon();
  target = await switchedTarget();
  folder = await mkdtemp(join(tmpdir(), 'uptime-probe-'));
});
afterEach(async () => {
  for (const probe of running) await probe.kill();
  running.clear();
  target.open();
});
afterAll(async () => {
  await daemon.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

const newToken = async (region: string) => {
  const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
  return body as { id: string; token: string };
};
const start = (token: string, name: string, site = daemon.url, env: Record<string, string> = {}) => {
  const probe = startProbeProgram({ site, token, dataDir: join(folder, name), env });
  running.add(probe);
  return probe;
};
const create = async (region: string, fields: object = {}) => {
  const body = { type: 'http', name: 'm', url: target.url(region), interval: 1, regions: [region], ...fields };
  const { id } = (await daemon.request('POST', '/api/monitors', body)).body as { id: string };
  return id;
};
const count = (path: string, status: number) => target.requests(path).filter((one) => one.status === status).length;
const statusIs = (id: string, status: string) =>
  vi.waitFor(
    async () => expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ status }),
    waiting,
  );
const resultsOf = async (id: string) =>
  (await daemon.request('GET', `/api/monitors/${id}/response-times`)).body as { timestamp: string; status: string }[];
const eventsOf = async (id: string) =>
  ((await daemon.request('GET', `/api/monitors/${id}/events`)).body as { to: string }[]).map(({ to }) => to);

test('a probe checks its monitors, applies an edit within three seconds, and sends its waiting results before it stops', async () => {
  const { token } = await newToken('eu');
  const probe = start(token, 'follows');
  const id = await create('eu');
  await statusIs(id, 'up');
  target.shut();
  await statusIs(id, 'down');
  const waiting = startWaiting();
  await daemon.request('PATCH', `/api/monitors/${id}`, { expectedStatus: 503 });
  await statusIs(id, 'up');
  expect(waiting.ms()).toBeLessThan(boundMs(3000));
  expect(await probe.stop()).toBe(0);
  const { body } = await daemon.request('GET', '/api/regions');
  const region = (body as { name: string; probes: { name: string }[] }[]).find(({ name }) => name === 'eu');
  expect(region).toMatchObject({ probes: [{ live: false, queued: 0, fault: null }] });
  const lines = probe.log().trim().split('\n');
  const started = lines.map((line) => JSON.parse(line) as object).find((line) => 'probe' in line);
  expect(started).toMatchObject({ message: 'checking', probe: region!.probes[0]!.name });
});

test('a probe whose resolver does not work tells the server that its checks give no verdict', async () => {
  const { token } = await newToken('no-dns');
  start(token, 'no-dns', daemon.url, { UPTIME_DNS_SERVERS: '127.0.0.1:9' });
  await create('no-dns', { url: 'http://shop.example/' });
  await vi.waitFor(async () => {
    const region = daemon.store.db.selectFrom('region').select('id').where('name', '=', 'no-dns');
    const row = await daemon.store.db
      .selectFrom('probe')
      .select('failed_at')
      .where('region', '=', region)
      .executeTakeFirst();
    expect(row?.failed_at).toBeGreaterThan(0);
  }, waiting);
});

test('a probe that is cut off from its server continues to check; its results arrive later and cause no false alarm', async () => {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(daemon.url).port) });
  try {
    const { token } = await newToken('cut');
    start(token, 'cut', `http://127.0.0.1:${proxy.port}`);
    const id = await create('cut');
    await statusIs(id, 'up');
    proxy.swallow();
    proxy.cut();
    const from = Date.now();
    const before = count('cut', 200);
    await vi.waitFor(() => expect(count('cut', 200)).toBeGreaterThan(before + 1), waiting);
    target.shut();
    // The target goes down and up again while no alert can be sent.
    await vi.waitFor(() => expect(count('cut', 503)).toBeGreaterThan(1), waiting);
    target.open();
    const opened = count('cut', 200);
    await vi.waitFor(() => expect(count('cut', 200)).toBeGreaterThan(opened + 1), waiting);
    const until = Date.now();
    proxy.heal();
    await vi.waitFor(async () => {
      const { timestamp } = (await resultsOf(id)).at(-1)!;
      expect(Date.parse(timestamp)).toBeGreaterThan(until);
    }, waiting);
    const results = (await resultsOf(id)).filter(({ timestamp }) => Date.parse(timestamp) > from);
    const times = results.map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.max(...times.slice(1).map((at, before) => at - times[before]!))).toBeLessThan(boundMs(2500));
    expect(results.some(({ status }) => status === 'down')).toBe(true);
    expect(await eventsOf(id)).toEqual(['up']);
  } finally {
    await proxy.close();
  }
});

test(
  'if one of three probes is cut off, all results arrive in order and cause no false alarm',
  () => cutProbe(3000),
  60_000,
);

test('if a probe is killed, the server stores no result twice and lacks only the results of checks that were running', () =>
  killProbe(3, 1000));

test('while the server moves to PostgreSQL and refuses all calls, a probe checks, even if it restarts, and sends the results later', async () => {
  const { token } = await newToken('moving');
  const probe = start(token, 'moving');
  const id = await create('moving');
  await statusIs(id, 'up');
  const { db } = daemon.store;
  const move = { installation: 'one', move: 'move_1', last_ping: null };
  // The daemon gives up a move whose last renewal is too old. Nothing renews the move of this test, so its last renewal
  // gets a time in the future.
  await beginMove(db, { ...move, state: 'closing', renewed_at: Date.now() + 60_000 });
  await vi.waitFor(() => expect(probe.log()).toContain('the server does not accept them'), waiting);
  await probe.kill();
  running.delete(probe);
  const again = start(token, 'moving');
  await vi.waitFor(() => expect(again.log()).toContain('the server does not answer as it should'), waiting);
  const refusedAt = Date.now();
  const before = count('moving', 200);
  await vi.waitFor(() => expect(count('moving', 200)).toBeGreaterThan(before + 1), waiting);
  const movedAt = Date.now();
  expect(await giveUpMove(db, move.move)).toBe(true);
  const isInMove = ({ timestamp }: { timestamp: string }) =>
    Date.parse(timestamp) > refusedAt && Date.parse(timestamp) < movedAt;
  await vi.waitFor(async () => expect((await resultsOf(id)).filter(isInMove).length).toBeGreaterThan(0), waiting);
});

test('a probe that may check only public targets reports other targets as blocked', async () => {
  const { token } = await newToken('public');
  start(token, 'public', daemon.url, { UPTIME_TARGETS: 'public-only' });
  const id = await create('public');
  await statusIs(id, 'down');
  const { body } = await daemon.request('GET', `/api/monitors/${id}`);
  expect(body).toMatchObject({
    regionResults: [{ region: 'public', status: 'down', error: { code: 'blocked_target' } }],
  });
  expect(count('public', 200)).toBe(0);
});

const storedMonitors = async (name: string) => {
  const store = await openStore({ dataDir: join(folder, name, 'probe'), log: silentLog });
  try {
    return await store.db.selectFrom('monitor').select('seq').execute();
  } finally {
    await store.close();
  }
};

test('a probe with an invalid token exits with an error message', async () => {
  const wrong = start(`uprobe_${'0'.repeat(64)}`, 'wrong');
  await vi.waitFor(() => expect(wrong.process.exitCode).toBe(1), waiting);
  expect(wrong.log()).toContain('This probe token is not valid');
  running.delete(wrong);
});

test.each(['running', 'stopped'])('a %s probe whose token is revoked removes its monitors', async (when) => {
  const { id: tokenId, token } = await newToken(`revoked-${when}`);
  const probe = start(token, `revoked-${when}`);
  const id = await create(`revoked-${when}`);
  await statusIs(id, 'up');
  const stop = async () => {
    await probe.kill();
    running.delete(probe);
  };
  if (when === 'stopped') await stop();
  expect(await storedMonitors(`revoked-${when}`)).toHaveLength(1);
  await daemon.request('DELETE', `/api/probes/${tokenId}`, undefined, { cookie: daemon.cookie });
  if (when === 'running') {
    await vi.waitFor(() => expect(probe.log()).toContain('the monitors are removed'), waiting);
    await stop();
  } else {
    const again = start(token, `revoked-${when}`);
    await vi.waitFor(() => expect(again.process.exitCode).toBe(1), waiting);
    running.delete(again);
  }
  expect(await storedMonitors(`revoked-${when}`)).toEqual([]);
});
