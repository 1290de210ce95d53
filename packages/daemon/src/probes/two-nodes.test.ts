import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Installation, startInstallation } from '../testing/installation.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { type ProbeProgram, startProbeProgram } from '../testing/probe-program.ts';
import { type RoundRobin, startRoundRobin } from '../testing/round-robin.ts';
import { switchedTarget, type SwitchedTarget } from '../testing/targets/switched.ts';

const waiting = { timeout: 30_000, interval: 200 };
/** More monitors than one answer to a sync call can contain. */
const monitors = 250;
let installation: Installation;
let balancer: RoundRobin;
let target: SwitchedTarget;
let folder: string;
let probe: ProbeProgram;

beforeAll(async () => {
  installation = await startInstallation({}, { runCheck: passingCheck });
  const other = await installation.join();
  balancer = await startRoundRobin();
  balancer.upstreams.push(installation.first.url, other.localUrl);
  target = await switchedTarget();
  folder = await mkdtemp(join(tmpdir(), 'uptime-balanced-probe-'));
});
afterAll(async () => {
  await probe.kill();
  await balancer.close();
  await target.close();
  await installation[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const request = (method: string, path: string, body?: object) => installation.first.request(method, path, body);
const create = async (path: string, interval: number) => {
  const fields = { type: 'http', name: path, url: target.url(path), interval, regions: ['eu'] };
  const { status, body } = await request('POST', '/api/monitors', fields);
  expect(status).toBe(201);
  return (body as { id: string }).id;
};
const isChecked = (path: string) => target.requests(path).length > 0;
const statusOf = async (id: string) =>
  ((await request('GET', `/api/monitors/${id}`)).body as { status: string }).status;

test('a probe that a balancer sends to two nodes alternately gets every monitor and every change with few calls', async () => {
  const { cookie } = installation.first;
  const made = await installation.first.request('POST', '/api/probes', { region: 'eu' }, { cookie });
  const ids: string[] = [];
  for (let n = 0; n < monitors; n++) ids.push(await create(`m${n}`, 10));
  probe = startProbeProgram({ site: balancer.url, token: (made.body as { token: string }).token, dataDir: folder });
  await vi.waitFor(() => expect(ids.filter((_, n) => !isChecked(`m${n}`))).toEqual([]), waiting);

  const added = await create('added', 1);
  await vi.waitFor(async () => expect(await statusOf(added)).toBe('up'), waiting);
  expect((await request('PATCH', `/api/monitors/${ids[0]}`, { url: target.url('edited') })).status).toBe(200);
  await vi.waitFor(() => expect(isChecked('edited')).toBe(true), waiting);
  expect((await request('DELETE', `/api/monitors/${added}`)).status).toBe(204);
  await vi.waitFor(async () => {
    const before = target.requests('added').length;
    await sleep(1500);
    expect(target.requests('added').length).toBe(before);
  }, waiting);

  // Nothing changes now. Each sync waits for five seconds at its node.
  const before = balancer.requests('/api/probe/sync');
  await sleep(6000);
  expect(balancer.requests('/api/probe/sync') - before).toBeLessThanOrEqual(4);
  expect(probe.log()).not.toContain('"level":"error"');
});
