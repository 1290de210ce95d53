import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeProtocol } from '../probe-protocol.ts';
import { createFakeProbe, type FakeProbe, hasOf } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { defaultWorld } from '../testing/test-world.ts';

let daemon: TestDaemon;
let probe: FakeProbe;
let own: { id: string; monitor: number };
let foreign: { id: string; monitor: number };

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  probe = createFakeProbe(daemon, await newToken('eu'));
  own = await create('eu');
  foreign = await create('us');
  await probe.sync();
});
afterAll(() => daemon.close());

const newToken = async (region: string) => {
  const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
  return (body as { token: string }).token;
};
const create = async (region: string) => {
  const fields = { type: 'tcp', name: 'm', host: 'h', port: 1, regions: [region] };
  const { id } = (await daemon.request('POST', '/api/monitors', fields)).body as { id: string };
  const row = await daemon.store.db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, monitor: row.seq };
};
const stored = async () => {
  const pasts = [own, foreign].map(({ id }) => daemon.request('GET', `/api/monitors/${id}/response-times`));
  return (await Promise.all(pasts)).flatMap(({ body }) => body as unknown[]).length;
};

test('a stolen token reads no monitors of other regions', async () => {
  const { body } = await probe.sync();
  expect(body.assignments.map(({ monitor }) => monitor)).toEqual([own.monitor]);
});

test("a probe gets no data of a project without monitors in the probe's region", async () => {
  const project = (await daemon.request('POST', '/api/projects', { name: 'secret-other' }, { cookie: daemon.cookie }))
    .body as { id: string; apiKey: string };
  const fields = { type: 'http', name: 'other', url: 'https://other.example/?k=canary', regions: ['us'] };
  const made = await daemon.request('POST', '/api/monitors', fields, { apiKey: project.apiKey });
  expect(made.status).toBe(201);
  const answer = await probe.sync();
  expect(answer.body.assignments.map(({ project: id }) => id)).toEqual([daemon.project.id]);
  for (const word of ['canary', project.id, 'secret-other', project.apiKey])
    expect(JSON.stringify(answer.body)).not.toContain(word);
  // The API refuses a probe's token: it is valid only for the calls of probes.
  for (const path of ['/api/monitors', '/api/projects', '/api/regions', '/api/probes'])
    expect((await daemon.request('GET', path, undefined, { apiKey: probe.token })).status).toBe(401);
});

test('the server accepts an older probe, and ignores fields that it does not know', async () => {
  const call = { protocol: 2, probe: probe.ownName, version: '0.1.0', sentAt: 0, has: await hasOf([]), waitMs: 0 };
  const health = { queued: 0, oldestAt: null, skewMs: null, fault: null };
  const tooOld = await probe.post('sync', { ...call, ...health, protocol: 1 });
  expect(tooOld).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/start the probe with/) as string },
  });
  expect(await probe.post('sync', { ...call, ...health })).toMatchObject({ status: 200, body: { protocol: 2 } });
  expect(await probe.post('sync', { ...call, ...health, later: 'a new field' })).toMatchObject({ status: 200 });
});

test('a stolen token cannot write results of monitors that its region does not check', async () => {
  const { body } = await probe.send([{ monitor: foreign.monitor, verdict: 'down' }, { monitor: 999_999 }]);
  expect(body.ignored).toBe(2);
  expect(await stored()).toBe(0);
  expect((await daemon.request('GET', `/api/monitors/${foreign.id}`)).body).toMatchObject({ status: 'pending' });
});

test('a stolen token cannot write results with past or future times', async () => {
  const now = Date.now();
  const failedAt = (at: number) => ({ monitor: own.monitor, at, verdict: 'down' as const });
  expect((await probe.send([now - 3_600_000, now - 10_000].map(failedAt))).body.ignored).toBe(2);
  expect(await probe.send([failedAt(now + 60_000)])).toMatchObject({ status: 503 });
  const begun = { monitor: own.monitor, begun: now - 3_600_000, verdict: 'down' as const };
  expect((await probe.send([begun, { ...begun, at: now + 60_000 }])).body.ignored).toBe(2);
  expect(await stored()).toBe(0);
  await probe.send([{ monitor: own.monitor }]);
  expect((await probe.send([{ monitor: own.monitor, at: now - 30_000 }])).body.ignored).toBe(1);
  expect(await stored()).toBe(1);
});

test('a stolen token changes no status and no uptime in a region that a daemon serves now', async () => {
  const { db } = daemon.store;
  const { id: region } = await db.selectFrom('region').select('id').where('name', '=', 'eu').executeTakeFirstOrThrow();
  const [instance, now] = ['node of eu', Date.now()];
  const presence = { instance, region, started_at: now, alive_at: now, roles: 'api,checker' };
  const { body: before } = await daemon.request('GET', `/api/monitors/${own.id}`);
  const observed = () => db.selectFrom('observed_hour').selectAll().where('monitor', '=', own.monitor).execute();
  const observedBefore = await observed();
  await db.insertInto('presence').values(presence).execute();
  for (let sent = 0; sent < 3; sent++) await probe.send([{ monitor: own.monitor, verdict: 'down' }]);
  const { body: after } = await daemon.request('GET', `/api/monitors/${own.id}`);
  expect(after).toMatchObject({ status: (before as { status: string }).status });
  expect(await observed()).toEqual(observedBefore);
  await db.deleteFrom('presence').where('instance', '=', instance).execute();
  for (let sent = 0; sent < 3; sent++) await probe.send([{ monitor: own.monitor, verdict: 'down' }]);
  expect((await daemon.request('GET', `/api/monitors/${own.id}`)).body).toMatchObject({ status: 'down' });
  for (let sent = 0; sent < 3; sent++) await probe.send([{ monitor: own.monitor }]);
});

test('a probe cannot take the name of a probe of another region', async () => {
  const thief = createFakeProbe(daemon, await newToken('us'), probe.ownName);
  expect(await thief.sync()).toMatchObject({ status: 409 });
  expect(await thief.send([{ monitor: foreign.monitor }])).toMatchObject({ status: 409 });
});

test('only a limited number of probes can join with one token', async () => {
  const token = await newToken('many');
  const statuses: number[] = [];
  for (let n = 0; n < 22; n++) statuses.push((await createFakeProbe(daemon, token).sync()).status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(2);
});

test('a stranger with a stolen token cannot send results as another probe, because the API does not show the names that probes send', async () => {
  const victim = createFakeProbe(daemon, await newToken('eu'));
  expect((await victim.sync()).status).toBe(200);
  const { body } = await daemon.request('GET', '/api/regions');
  expect(JSON.stringify(body)).toContain(victim.name);
  expect(JSON.stringify(body)).not.toContain(victim.ownName);
  const thief = createFakeProbe(daemon, victim.token, victim.name);
  await thief.sync();
  expect((await thief.send([{ seq: 9e15, monitor: own.monitor }])).body).toMatchObject({ applied: 9e15 });
  expect((await victim.sync()).body.applied).toBe(0);
  expect((await victim.send([{ seq: 1, monitor: own.monitor }])).body).toMatchObject({ applied: 1, ignored: 0 });
});

test("texts from a probe bring no control characters to the operator's terminal", async () => {
  const joined = createFakeProbe(daemon, await newToken('eu'));
  await joined.sync({ fault: 'No network.\u001b[2J\n\u001b]0;title\u0007ok' });
  const { body } = await daemon.request('GET', '/api/regions');
  expect(JSON.stringify(body)).toContain('No network. [2J ]0;title ok');
});

test('the server refuses results of a probe that has never called sync', async () => {
  const silent = createFakeProbe(daemon, await newToken('eu'));
  expect(await silent.send([{ monitor: own.monitor }])).toMatchObject({ status: 409 });
});

test('the server refuses a probe with a newer protocol, and the message says what to update', async () => {
  const answer = await probe.post('sync', { protocol: probeProtocol + 1, other: true });
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/update the server/) as string } });
});

test('the error of a request with an invalid body names the wrong fields, and the request changes nothing', async () => {
  const before = await stored();
  for (const body of ['[]', 'null', '{}', '{"protocol":2}', 'x', '{"protocol":2,"probe":"x","results":{}}'])
    expect((await probe.post('results', body)).status).toBe(400);
  const result = { seq: 1e6, monitor: own.monitor };
  for (const wrong of [
    { ...result, at: -1 },
    { ...result, seq: 1.5 },
    { ...result, verdict: 'great' },
    { ...result, error: { code: 'bad', message: 'x' } },
    { ...result, error: { code: 'reset', message: 'x'.repeat(301) } },
    { ...result, responseTime: -5 },
    { ...result, statusCode: 70_000 },
  ])
    expect((await probe.send([wrong as never])).status).toBe(400);
  const many = Array.from({ length: 201 }, () => result);
  expect((await probe.send(many)).status).toBe(400);
  expect(await stored()).toBe(before);
});

test('the server refuses a body that is too large, and does not read the body of a request without a token', async () => {
  const url = `${daemon.url}/api/probe/results`;
  const chunk = new Uint8Array(1_000_000);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (++sent > 100) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit).then(
    ({ status }) => status,
    () => 'cut',
  );
  expect([401, 'cut']).toContain(answer);
  expect(sent).toBeLessThan(100);
  expect((await probe.post('results', `"${'x'.repeat(2_000_000)}"`)).status).toBe(413);
});

test('the server limits the number of wrong tokens that a caller may try', async () => {
  const guess = createFakeProbe(daemon, `uprobe_${'0'.repeat(64)}`);
  const statuses: number[] = [];
  // Each node counts the wrong tokens separately. No one can guess a token of 256 bits, so the limit only saves work.
  const { nodes } = defaultWorld();
  for (let n = 0; n < 70 * nodes; n++) statuses.push((await guess.sync()).status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60 * nodes);
  expect(statuses.at(-1)).toBe(429);
  // The probe with the right token still gets answers.
  expect((await probe.sync()).status).toBe(200);
});
