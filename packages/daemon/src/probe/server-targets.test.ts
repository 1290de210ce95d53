import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { type ProbeProgram, startProbeProgram } from '../testing/probe-program.ts';
import { switchedTarget, type SwitchedTarget } from '../testing/targets/switched.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';

const waiting = { timeout: 20_000, interval: 50 };
let daemon: TestDaemon;
let target: SwitchedTarget;
let proxy: TcpProxy;
let folder: string;
const running = new Set<ProbeProgram>();

beforeAll(async () => {
  daemon = await createTestDaemon({ env: { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open', UPTIME_RATE_LIMIT: 'on' } });
  target = await switchedTarget();
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(daemon.url).port) });
  folder = await mkdtemp(join(tmpdir(), 'uptime-probe-'));
});
afterEach(async () => {
  for (const probe of running) await probe.kill();
  running.clear();
});
afterAll(async () => {
  await proxy.close();
  await daemon.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

const newToken = async (region: string) => {
  const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
  return (body as { token: string }).token;
};
const start = (token: string, name: string, env: Record<string, string> = {}) => {
  const site = `http://127.0.0.1:${proxy.port}`;
  const probe = startProbeProgram({ site, token, dataDir: join(folder, name), env });
  running.add(probe);
  return probe;
};
const create = async (region: string) => {
  const body = { type: 'http', name: 'm', url: target.url(region), interval: 1, regions: [region] };
  return ((await daemon.request('POST', '/api/monitors', body)).body as { id: string }).id;
};
const regionShows = (id: string, result: object) =>
  vi.waitFor(async () => {
    const { body } = await daemon.request('GET', `/api/monitors/${id}`);
    expect(body).toMatchObject({ regionResults: [result] });
  }, waiting);
const blocked = { status: 'down', error: { code: 'blocked_target' } };

test("a probe without a rule of its own obeys its server's rule for targets, also after a restart while the link is cut", async () => {
  const token = await newToken('obeys');
  const probe = start(token, 'obeys');
  const id = await create('obeys');
  await regionShows(id, blocked);
  proxy.swallow();
  proxy.cut();
  await probe.kill();
  const restartedAt = Date.now();
  start(token, 'obeys');
  const store = await openStore({ dataDir: join(folder, 'obeys', 'probe'), log: silentLog });
  try {
    await vi.waitFor(async () => {
      const rows = await store.db.selectFrom('probe_result').select('result').execute();
      const results = rows.map(({ result }) => JSON.parse(result) as { at: number; error: object | null });
      expect(results.filter(({ at }) => at > restartedAt)).toContainEqual(
        expect.objectContaining({ error: expect.objectContaining({ code: 'blocked_target' }) as object }),
      );
    }, waiting);
  } finally {
    await store.close();
    proxy.heal();
  }
  expect(target.requests('obeys')).toEqual([]);
});

test("a probe's own rule for targets has priority over its server's", async () => {
  start(await newToken('own'), 'own', { UPTIME_TARGETS: 'all' });
  await regionShows(await create('own'), { status: 'up' });
});
