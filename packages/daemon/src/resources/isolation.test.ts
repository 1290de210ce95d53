import { afterAll, beforeAll, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let stranger: TestUser;
let id: string;
/** Ids of what else is there to be found. */
let ids: Record<string, string>;

beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  stranger = await daemon.another('stranger');
  const made = await daemon.request('POST', '/api/monitors', { type: 'http', name: 'mine', url: 'http://localhost/' });
  ({ id } = made.body as { id: string });
  const create = async (path: string, fields: object) =>
    ((await daemon.request('POST', `/api/${path}`, { name: 'mine', ...fields })).body as { id: string }).id;
  const channel = await create('notification-channels', { type: 'email', config: { address: 'ops@example.com' } });
  ids = {
    'notification-channels': channel,
    'alert-rules': await create('alert-rules', { monitorIds: [id], channelIds: [channel] }),
  };
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

test.each([
  ['PATCH', 'notification-channels', ''],
  ['DELETE', 'notification-channels', ''],
  ['POST', 'notification-channels', '/test'],
  ['PATCH', 'alert-rules', ''],
  ['DELETE', 'alert-rules', ''],
] as const)("%s on another project's %s%s says the same as on one that is not there", async (method, kind, path) => {
  const options = { apiKey: stranger.apiKey };
  const body = method === 'PATCH' ? { name: 'theirs' } : undefined;
  const prefix = kind === 'alert-rules' ? 'rul' : 'chn';
  const unknown = await daemon.request(method, `/api/${kind}/${prefix}_nobody${path}`, body, options);
  const foreign = await daemon.request(method, `/api/${kind}/${ids[kind]}${path}`, body, options);
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
  for (const list of ['monitors', 'notification-channels', 'alert-rules', 'alert-history', 'deliveries']) {
    expect((await daemon.request('GET', `/api/${list}`, undefined, { apiKey: stranger.apiKey })).body).toEqual([]);
  }
  const projects = await daemon.request('GET', '/api/projects', undefined, { cookie: stranger.cookie });
  expect((projects.body as { id: string }[]).map((one) => one.id)).toEqual([stranger.project.id]);
});

test('nothing of it has changed after all that', async () => {
  expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ id, name: 'mine' });
  for (const [kind, mine] of Object.entries(ids)) {
    expect((await daemon.request('GET', `/api/${kind}`)).body).toMatchObject([{ id: mine, name: 'mine' }]);
  }
  expect((await daemon.request('GET', `/api/projects/${daemon.project.id}`)).status).toBe(200);
});
