import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import { expect, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { bodies } from './errors-world.ts';
import { createFakeProbe } from './fake-probe.ts';
import { ask, createWorld, type Param, type Place, signInAgain } from './isolation-world.ts';
import type { SyncAnswer } from '../probe-protocol.ts';
import { passed } from './passing-check.ts';
import { createTestDaemon, type TestDaemon } from './test-daemon.ts';
import type { TestDatabaseKind } from './databases.ts';

const failed: CheckOutcome = {
  ...passed,
  verdict: 'down',
  error: { code: 'connect_refused', message: 'Nothing listens there.' },
};

/**
 * Starts a daemon and uses all of it once: an outage with an alert, pings, a page, a probe, the metrics, and every
 * endpoint of the contract. The caller closes the daemon.
 */
export async function useEverything(database: TestDatabaseKind): Promise<TestDaemon> {
  let outcome = failed;
  const daemon = await createTestDaemon({ database, runCheck: async () => ({ ...outcome }) });
  const owner = await daemon.another('owner');
  const stranger = await daemon.another('stranger');
  let count = 0;
  const { mine } = await createWorld(daemon, { owner, stranger, admin: daemon }, () => ++count);
  const site = await haveOutage(daemon, mine);
  outcome = passed;
  await readPages(daemon);
  await reportByProbe(daemon);
  const seen = { apiKey: mine.apiKey };
  await vi.waitFor(
    async () =>
      expect((await daemon.request('GET', `/api/monitors/${site}`, undefined, seen)).body).toMatchObject({
        status: 'up',
      }),
    60_000,
  );
  await readHealth(daemon);
  await callEveryEndpoint(daemon, mine, site);
  return daemon;
}

/** Creates a monitor whose check fails, so that an alert is sent. Resolves with the monitor's id. */
async function haveOutage(daemon: TestDaemon, { apiKey }: Place): Promise<string> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await daemon.request(method, `/api${path}`, body, { apiKey });
    expect(answer.status).toBeLessThan(300);
    return answer.body as { id: string; pingUrl: string };
  };
  const http = { type: 'http', url: 'http://127.0.0.1:9/', interval: 1, timeout: 1, retries: 0, paused: true };
  const { id } = await send('POST', '/monitors', { name: 'site', ...http });
  const job = await send('POST', '/monitors', { name: 'job', type: 'heartbeat' });
  const config = { webhookUrl: 'http://127.0.0.1:1/services/12345678' };
  const channel = await send('POST', '/notification-channels', { type: 'slack', name: 'c', config });
  const ids = { monitorIds: [id, job.id], channelIds: [channel.id] };
  await send('POST', '/alert-rules', { name: 'r', reminderInterval: 1, ...ids });
  await send('POST', '/status-pages', { name: 'p', slug: 'all', monitorIds: ids.monitorIds });
  const [start, end] = [Date.now() + 500, Date.now() + 1000].map((at) => new Date(at).toISOString());
  const window = { maintenance: true, scheduledStart: start, scheduledEnd: end, monitorIds: [job.id] };
  await send('POST', '/incidents', { title: 'work', ...window });
  await send('PATCH', `/monitors/${id}`, { paused: false });
  for (const signal of ['', '/start', '/fail']) await fetch(job.pingUrl + signal, { method: 'POST', body: '{"n":1}' });
  const attempts = daemon.store.db.selectFrom('delivery_attempt').selectAll().limit(1);
  await vi.waitFor(async () => expect(await attempts.execute()).toHaveLength(1), 60_000);
  return id;
}

async function readPages({ url }: TestDaemon): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  for (const form of ['', '/index.json', '/feed.atom', '/badge.svg', '/history', `/history/${month}`])
    await (await fetch(`${url}/status/all${form}`)).text();
}

/** Reads the health and the metrics as the operator, because the daemon makes warnings only for the operator. */
async function readHealth({ url, apiKey }: TestDaemon): Promise<void> {
  const read = (path: string) => fetch(url + path, { headers: { 'x-api-key': apiKey } });
  // On a busy machine the status may be 503. That answer has warnings too.
  expect(await (await read('/healthz')).json()).toHaveProperty('warnings');
  expect((await read('/metrics')).status).toBe(200);
}

async function reportByProbe(daemon: TestDaemon): Promise<void> {
  const { body } = await daemon.request('POST', '/api/probes', { region: 'far' }, { cookie: daemon.cookie });
  const probe = createFakeProbe(daemon, (body as { token: string }).token);
  const fields = { type: 'tcp', name: 'far', host: 'localhost', port: 1, regions: ['far'] };
  await daemon.request('POST', '/api/monitors', fields);
  const [{ monitor, generation }] = await vi.waitFor(async () => {
    const { assignments } = (await probe.sync()).body;
    expect(assignments).not.toEqual([]);
    return assignments as [SyncAnswer['assignments'][number]];
  }, 60_000);
  const sent = await probe.send([{ monitor, generation }]);
  expect(sent.body).toMatchObject({ ignored: 0 });
}

/** Operations that end a credential. They are called last. */
const last = ['changePassword', 'regenerateApiKey', 'deleteProject'];

/** Calls each endpoint once: first those that delete nothing, then the deletions, and at the end those in `last`. */
async function callEveryEndpoint(daemon: TestDaemon, place: Place, site: string): Promise<void> {
  const named: [string, Endpoint][] = Object.entries(allEndpoints);
  const order = ([name, { method }]: [string, Endpoint]) =>
    2 * (1 + last.indexOf(name)) + (method === 'DELETE' ? 1 : 0);
  for (const [name, endpoint] of named.toSorted((a, b) => order(a) - order(b))) {
    let path: string = endpoint.path;
    for (const [, param] of endpoint.path.matchAll(/:(\w+)/g))
      path = path.replace(`:${param}`, param === 'monitorId' ? site : await place.id(param as Param));
    const headers = await credential(daemon, endpoint, place);
    const body = endpoint.body ? await bodyOf(name, place, site) : undefined;
    await ask(daemon, endpoint.method, endpoint.site ? path : `/api${path}`, { headers, body });
  }
}

async function credential(daemon: TestDaemon, { access }: Endpoint, place: Place): Promise<Record<string, string>> {
  if (access === 'project' || access === 'owner') return { 'x-api-key': place.apiKey };
  if (access !== 'session' && access !== 'admin') return {};
  return { cookie: await signInAgain(daemon, access === 'admin' ? daemon.email : place.person.email) };
}

async function bodyOf(name: string, place: Place, site: string): Promise<object> {
  const body = bodies[name] as object;
  if (!/AlertRule|Incident|StatusPage/.test(name)) return body;
  const channels = /AlertRule/.test(name) && { channelIds: [await place.id('channelId')] };
  return { ...body, monitorIds: [site], ...channels };
}
