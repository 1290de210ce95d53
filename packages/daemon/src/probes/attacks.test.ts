import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeProtocol } from '../probe-protocol.ts';
import { createFakeProbe, type FakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

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

test('a probe gets no data of a project that has no monitors in the region of the probe', async () => {
  const project = (await daemon.request('POST', '/api/projects', { name: 'secret-other' }, { cookie: daemon.cookie }))
    .body as { id: string; apiKey: string };
  const fields = { type: 'http', name: 'other', url: 'https://other.example/?k=canary', regions: ['us'] };
  const made = await daemon.request('POST', '/api/monitors', fields, { apiKey: project.apiKey });
  expect(made.status).toBe(201);
  const answer = await probe.sync();
  expect(answer.body.assignments.map(({ project: id }) => id)).toEqual([daemon.project.id]);
  for (const word of ['canary', project.id, 'secret-other', project.apiKey])
    expect(JSON.stringify(answer.body)).not.toContain(word);
  // The token opens only the calls of probes.
  for (const path of ['/api/monitors', '/api/projects', '/api/regions', '/api/probes'])
    expect((await daemon.request('GET', path, undefined, { apiKey: probe.token })).status).toBe(401);
});

test('an older probe is served, and fields that this server does not know are ignored', async () => {
  const call = { protocol: 1, probe: probe.name, version: '0.1.0', sentAt: 0, revision: null, waitMs: 0 };
  const health = { queued: 0, oldestAt: null, skewMs: null, fault: null };
  expect(await probe.post('sync', { ...call, ...health })).toMatchObject({ status: 200, body: { protocol: 1 } });
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
  const times = [now - 3_600_000, now - 10_000, now + 60_000];
  const { body } = await probe.send(times.map((at) => ({ monitor: own.monitor, at, verdict: 'down' as const })));
  expect(body.ignored).toBe(3);
  const begun = { monitor: own.monitor, begun: now - 3_600_000, verdict: 'down' as const };
  expect((await probe.send([begun])).body.ignored).toBe(1);
  expect(await stored()).toBe(0);
  await probe.send([{ monitor: own.monitor }]);
  expect((await probe.send([{ monitor: own.monitor, at: now - 30_000 }])).body.ignored).toBe(1);
  expect(await stored()).toBe(1);
});

test('a probe cannot take the name of a probe of another region', async () => {
  const thief = createFakeProbe(daemon, await newToken('us'), probe.name);
  expect(await thief.sync()).toMatchObject({ status: 409 });
  expect(await thief.send([{ monitor: foreign.monitor }])).toMatchObject({ status: 409 });
});

test('a token admits a limited number of probes', async () => {
  const token = await newToken('many');
  const statuses: number[] = [];
  for (let n = 0; n < 22; n++) statuses.push((await createFakeProbe(daemon, token).sync()).status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(2);
});

test('a probe that never synced cannot send results', async () => {
  const silent = createFakeProbe(daemon, await newToken('eu'));
  expect(await silent.send([{ monitor: own.monitor }])).toMatchObject({ status: 409 });
});

test('a probe with a newer protocol is refused with a message that says what to update', async () => {
  const answer = await probe.post('sync', { protocol: probeProtocol + 1, other: true });
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/update the server/) as string } });
});

test('wrong bodies get an error that names their fields, and change nothing', async () => {
  const before = await stored();
  for (const body of ['[]', 'null', '{}', '{"protocol":1}', 'x', '{"protocol":1,"probe":"x","results":{}}'])
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

test('a body that is too large is refused, and a body without a token is not even read', async () => {
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

test('the number of wrong tokens that a caller may try is limited', async () => {
  const guess = createFakeProbe(daemon, `uprobe_${'0'.repeat(64)}`);
  const statuses: number[] = [];
  for (let n = 0; n < 70; n++) statuses.push((await guess.sync()).status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60);
  expect(statuses.at(-1)).toBe(429);
  // The probe with the right token is still served.
  expect((await probe.sync()).status).toBe(200);
});
