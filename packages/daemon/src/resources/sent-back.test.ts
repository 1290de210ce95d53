import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

type Shown = Record<string, unknown> & { id: string };

describe.each(databases)('a response that a client sends back as a patch, on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const make = async (path: string, body: object): Promise<Shown> => {
    const answer = await daemon.request('POST', path, body);
    expect(answer.status).toBe(201);
    return answer.body as Shown;
  };
  const secret = {
    url: 'https://hooks.example/secret-path',
    headers: { 'x-token': 'a-long-secret' },
    secret: 'sign-me-now',
  };
  const window = { scheduledStart: '2100-01-01T00:00:00Z', scheduledEnd: '2100-01-01T01:00:00Z' };
  const cases: [string, string, object, string[]][] = [
    [
      'an http monitor',
      '/api/monitors',
      { type: 'http', name: 'h', url: 'https://shop.example/', key: 'h' },
      ['status'],
    ],
    ['a dns monitor', '/api/monitors', { type: 'dns', name: 'd', hostname: 'a.example' }, ['projectId']],
    [
      'a paused monitor',
      '/api/monitors',
      { type: 'ping', name: 'p', host: 'a.example', paused: true },
      ['nextCheckAt'],
    ],
    ['a heartbeat', '/api/monitors', { type: 'heartbeat', name: 'b', labels: { a: '1' } }, ['pingUrl']],
    ['a channel', '/api/notification-channels', { type: 'webhook', name: 'c', config: secret }, ['configDigest']],
    ['a rule', '/api/alert-rules', { name: 'r', monitorIds: [], channelIds: [] }, ['createdAt']],
    ['a page', '/api/status-pages', { name: 's', slug: 'sent', customDomain: 'status.shop.example' }, ['url']],
    ['an incident', '/api/incidents', { title: 'i', message: 'Looking.' }, ['startedAt', 'updates', 'maintenance']],
    ['a window', '/api/incidents', { title: 'w', maintenance: true, ...window }, ['resolvedAt']],
  ];

  test.each(cases)('a patch with the response for %s changes nothing', async (_name, path, fields, readOnly) => {
    const made = await make(path, fields);
    const at = `${path}/${made.id}`;
    const listed = (await daemon.request('GET', path)).body as Shown[];
    const read = listed.find(({ id }) => id === made.id)!;
    const answer = await daemon.request('PATCH', at, read);
    expect(answer).toMatchObject({ status: 200 });
    expect(still(answer.body as Shown)).toEqual(still(read));

    for (const field of ['id', 'createdAt', ...readOnly]) {
      const changed = { ...read, updatedAt: (answer.body as Shown)['updatedAt'], [field]: 'changed' };
      if (field === 'nextCheckAt') continue;
      expect(await daemon.request('PATCH', at, changed), field).toMatchObject({
        status: 400,
        body: { errors: [{ path: field, message: expect.stringContaining('read-only') }] },
      });
    }
    const alone = await daemon.request('PATCH', at, { [readOnly[0]!]: 'changed' });
    expect(alone).toMatchObject({ status: 400, body: { errors: [{ path: readOnly[0] }] } });
    const unknown = await daemon.request('PATCH', at, { ...read, updatedAt: undefined, nonsense: 1 });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ path: 'nonsense', message: 'unknown field' }] } });
  });
  /** Returns what the API shows of a resource, without the fields that a check may change between two reads. */
  const still = (shown: Shown) =>
    Object.fromEntries(Object.entries(shown).filter(([field]) => !ofTheMoment.includes(field)));
  const ofTheMoment = ['updatedAt', 'lastCheckedAt', 'nextCheckAt', 'status', 'domain'];

  test('a response with a project can be sent back as a patch, but the key in it is read-only', async () => {
    const project = (await daemon.request('GET', '/api/projects/current')).body as Shown;
    const at = `/api/projects/${project.id}`;
    expect(await daemon.request('PATCH', at, project)).toMatchObject({ status: 200, body: project });
    expect(await daemon.request('PATCH', at, { ...project, apiKey: 'uptime_mine' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'apiKey' }] },
    });
  });

  test('a response with a monitor can be sent back as a patch, even if the monitor was checked since', async () => {
    const made = await make('/api/monitors', { type: 'ping', name: 'q', host: 'localhost', interval: 86_400 });
    await daemon.request('POST', `/api/monitors/${made.id}/check`);
    const now = (await daemon.request('GET', `/api/monitors/${made.id}`)).body as Shown;
    const stale = { ...now, lastCheckedAt: null, nextCheckAt: made['nextCheckAt'], name: 'renamed' };
    expect(await daemon.request('PATCH', `/api/monitors/${made.id}`, stale)).toMatchObject({
      status: 200,
      body: { name: 'renamed' },
    });
    const alone = await daemon.request('PATCH', `/api/monitors/${made.id}`, { lastCheckedAt: null });
    expect(alone).toMatchObject({ status: 400, body: { errors: [{ path: 'lastCheckedAt' }] } });
  });
});
