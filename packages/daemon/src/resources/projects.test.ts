import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

interface Project {
  id: string;
  name: string;
  apiKey: string;
  updatedAt: string;
}

describe.each(databases)('projects on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const bySession = () => ({ cookie: daemon.cookie });
  const create = async (name: string): Promise<Project> => {
    const answer = await daemon.request('POST', '/api/projects', { name }, bySession());
    expect(answer.status).toBe(201);
    return answer.body as Project;
  };

  test('a new project has a key of its own, which gives no access to other projects', async () => {
    const made = await create('shop');
    expect(made.apiKey).toMatch(/^uptime_[0-9A-Za-z]{32,}$/);
    const own = await daemon.request('GET', `/api/projects/${made.id}`, undefined, { apiKey: made.apiKey });
    expect(own).toMatchObject({ status: 200, body: made });
    const other = await daemon.request('GET', `/api/projects/${made.id}`);
    expect(other).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('the server accepts a key in the header x-api-key and as a bearer token', async () => {
    const headers = { authorization: `Bearer ${daemon.apiKey}` };
    const answer = await daemon.request('GET', '/api/monitors', undefined, { apiKey: null, headers });
    expect(answer.status).toBe(200);
  });

  test("the list of projects has the signed-in user's projects, the oldest first, in pages", async () => {
    const someone = await daemon.another(`lister-${database.name}`);
    const made = [someone.project.id];
    for (const name of ['b', 'a', 'c']) {
      const answer = await daemon.request('POST', '/api/projects', { name }, { cookie: someone.cookie });
      made.push((answer.body as Project).id);
    }
    const whole = await daemon.request('GET', '/api/projects', undefined, { cookie: someone.cookie });
    expect((whole.body as Project[]).map((one) => one.id).toSorted()).toEqual(made.toSorted());
    const first = await daemon.request('GET', '/api/projects?limit=3', undefined, { cookie: someone.cookie });
    const next = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await daemon.request('GET', `/api/projects?limit=3&cursor=${next}`, undefined, {
      cookie: someone.cookie,
    });
    expect([...(first.body as Project[]), ...(second.body as Project[])]).toEqual(whole.body);
    expect(second.headers.get('link')).toBeNull();
  });

  test("a project's own key can rename the project", async () => {
    const made = await create('old');
    const path = `/api/projects/${made.id}`;
    const renamed = await daemon.request('PATCH', path, { name: 'new' }, { apiKey: made.apiKey });
    expect(renamed).toMatchObject({ status: 200, body: { id: made.id, name: 'new', apiKey: made.apiKey } });
    const same = await daemon.request('PATCH', path, {}, { apiKey: made.apiKey });
    expect(same.body).toEqual(renamed.body);
  });

  test('a new key of a project works at once, and the old key stops working', async () => {
    const made = await create('keys');
    const path = `/api/projects/${made.id}/api-key`;
    const renewed = (await daemon.request('POST', path, undefined, bySession())).body as Project;
    expect(renewed.apiKey).not.toBe(made.apiKey);
    expect((await daemon.request('GET', '/api/monitors', undefined, { apiKey: made.apiKey })).status).toBe(401);
    expect((await daemon.request('GET', '/api/monitors', undefined, { apiKey: renewed.apiKey })).status).toBe(200);
  });

  test('deleting a project also deletes its monitors, their ping addresses and its key', async () => {
    const made = await create('doomed');
    const heartbeat = { type: 'heartbeat', name: 'beat' };
    const monitor = await daemon.request('POST', '/api/monitors', heartbeat, { apiKey: made.apiKey });
    const { id, pingUrl } = monitor.body as { id: string; pingUrl: string };
    await daemon.request(
      'POST',
      '/api/monitors',
      { type: 'tcp', name: 't', host: 'localhost', port: 1 },
      { apiKey: made.apiKey },
    );
    expect(
      (await daemon.request('DELETE', `/api/projects/${made.id}`, undefined, { apiKey: made.apiKey })).status,
    ).toBe(204);
    expect((await daemon.request('GET', '/api/monitors', undefined, { apiKey: made.apiKey })).status).toBe(401);
    expect((await daemon.request('GET', `/api/projects/${made.id}`, undefined, bySession())).status).toBe(404);
    expect((await daemon.request('GET', new URL(pingUrl).pathname)).status).toBe(404);
    const left = await daemon.store.db.selectFrom('monitor').select('id').where('id', '=', id).execute();
    expect(left).toEqual([]);
  });

  test('two requests with one Idempotency-Key create one project, unless they come from different users', async () => {
    const headers = { 'idempotency-key': 'project' };
    const ask = (cookie: string) => daemon.request('POST', '/api/projects', { name: 'once' }, { cookie, headers });
    const [first, again] = [await ask(daemon.cookie), await ask(daemon.cookie)];
    expect(again.body).toEqual(first.body);
    const someone = await daemon.another(`once-${database.name}`);
    expect((await ask(someone.cookie)).body).not.toEqual(first.body);
  });
});
