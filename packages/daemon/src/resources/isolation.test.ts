import { afterAll, beforeAll, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let stranger: TestUser;
let id: string;

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  stranger = await daemon.another('stranger');
  const made = await daemon.request('POST', '/api/monitors', { type: 'http', name: 'mine', url: 'http://localhost/' });
  ({ id } = made.body as { id: string });
});
afterAll(() => daemon.close());

/** What an answer says, but for the id of the request. */
const said = (answer: { status: number; headers: Headers; body: unknown }) => ({
  status: answer.status,
  type: answer.headers.get('content-type'),
  body: { ...(answer.body as object), requestId: null },
});

const paths = ['', '/stats', '/daily-uptime', '/response-times', '/heartbeat-metrics', '/events'];

test.each([
  ...paths.map((path) => ['GET', path, undefined] as const),
  ['PATCH', '', { name: 'theirs' }] as const,
  ['DELETE', '', undefined] as const,
  ['POST', '/check', undefined] as const,
])("%s on another project's monitor%s says the same as on one that is not there", async (method, path, body) => {
  const { apiKey } = stranger;
  const unknown = await daemon.request(method, `/api/monitors/mon_nobody${path}`, body, { apiKey });
  const foreign = await daemon.request(method, `/api/monitors/${id}${path}`, body, { apiKey });
  expect(foreign.status).toBe(404);
  expect(said(foreign)).toEqual(said(unknown));
});

test.each(['GET', 'PATCH', 'DELETE'])(
  "%s on another's project says the same as on one that is not there",
  async (method) => {
    const body = method === 'PATCH' ? { name: 'theirs' } : undefined;
    for (const credential of [{ apiKey: stranger.apiKey }, { cookie: stranger.cookie }]) {
      const unknown = await daemon.request(method, '/api/projects/prj_nobody', body, credential);
      const foreign = await daemon.request(method, `/api/projects/${daemon.project.id}`, body, credential);
      expect(foreign.status).toBe(404);
      expect(said(foreign)).toEqual(said(unknown));
    }
    const renew = await daemon.request('POST', `/api/projects/${daemon.project.id}/api-key`, undefined, {
      apiKey: stranger.apiKey,
    });
    expect(renew.status).toBe(404);
  },
);

test("a session does not open another's project by naming it", async () => {
  const headers = { 'x-project-id': daemon.project.id };
  const answer = await daemon.request('GET', '/api/monitors', undefined, { cookie: stranger.cookie, headers });
  expect(answer.status).toBe(404);
});

test('lists have nothing of another project', async () => {
  expect((await daemon.request('GET', '/api/monitors', undefined, { apiKey: stranger.apiKey })).body).toEqual([]);
  const projects = await daemon.request('GET', '/api/projects', undefined, { cookie: stranger.cookie });
  expect((projects.body as { id: string }[]).map((one) => one.id)).toEqual([stranger.project.id]);
});

test('nothing of it has changed after all that', async () => {
  expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ id, name: 'mine' });
  expect((await daemon.request('GET', `/api/projects/${daemon.project.id}`)).status).toBe(200);
});
