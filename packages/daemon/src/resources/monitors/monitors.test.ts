import { monitorTypes } from '@uptime/sdk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  [field: string]: unknown;
}

describe.each(databases)('monitors on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const create = async (fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', '/api/monitors', fields);
    expect(answer.status).toBe(201);
    return answer.body as Shown;
  };
  const patch = (id: string, fields: unknown) => daemon.request('PATCH', `/api/monitors/${id}`, fields);

  test.each([
    [
      { type: 'http', name: 'site', url: 'https://example.com/' },
      { timeout: 30, method: 'GET', certificate: null },
    ],
    [
      { type: 'dns', name: 'names', hostname: 'example.com' },
      { timeout: 10, recordType: 'A', nameserver: null },
    ],
    [
      { type: 'tcp', name: 'db', host: 'localhost', port: 5432 },
      { timeout: 10, retries: 0, regions: [] },
    ],
    [
      { type: 'ping', name: 'box', host: '192.0.2.1' },
      { timeout: 10, interval: 60, paused: false },
    ],
    [
      { type: 'heartbeat', name: 'backup' },
      { interval: 60, gracePeriod: 30, status: 'pending', lastPingAt: null },
    ],
  ])(
    'creating a monitor of the type $type returns every field with its default, and get and list show the monitor',
    async (fields, shown) => {
      const created = await create(fields);
      expect(created).toMatchObject({ ...fields, ...shown, projectId: daemon.project.id, key: null });
      expect(created.id).toMatch(/^mon_/);
      const { body } = await daemon.request('GET', `/api/monitors/${created.id}`);
      // `regionResults` is only in the response for a single monitor.
      expect(Object.keys(body as object).filter((field) => field !== 'regionResults')).toEqual(Object.keys(created));
      const { body: list } = await daemon.request('GET', '/api/monitors');
      expect((list as Shown[]).at(-1)?.id).toBe(created.id);
    },
  );

  test('each heartbeat has a ping address of its own', async () => {
    const [one, two] = [await create({ type: 'heartbeat', name: 'a' }), await create({ type: 'heartbeat', name: 'b' })];
    expect(one.pingUrl).toMatch(new RegExp(`^${daemon.url}/ping/[0-9A-Za-z]{22,}$`));
    expect(one.pingUrl).not.toBe(two.pingUrl);
  });

  test('a patch changes only the fields that it names, and null restores the default of a field', async () => {
    const { id } = await create({ type: 'http', name: 'p', url: 'http://localhost/', interval: 300, description: 'x' });
    const { body } = await patch(id, { interval: null, name: 'renamed' });
    expect(body).toMatchObject({ interval: 60, name: 'renamed', description: 'x', url: 'http://localhost/' });
  });

  test('a patch can set and remove single labels and headers without changing the others', async () => {
    const { id } = await create({
      type: 'http',
      name: 'l',
      url: 'http://localhost/',
      labels: { team: 'a', tier: '1' },
      headers: { accept: 'text/html' },
    });
    const { body } = await patch(id, { labels: { team: null, owner: 'ada' }, headers: { 'x-probe': '1' } });
    expect(body).toMatchObject({ headers: { accept: 'text/html', 'x-probe': '1' } });
    const respelled = await patch(id, { headers: { Accept: '*/*', 'x-probe': null } });
    expect((respelled.body as { headers: object }).headers).toEqual({ Accept: '*/*' });
    const both = await patch(id, { headers: { accept: 'text/html', Accept: null } });
    expect((both.body as { headers: object }).headers).toEqual({ accept: 'text/html' });
    expect((body as Shown).labels).toEqual({ tier: '1', owner: 'ada' });
    const cleared = await patch(id, { labels: null });
    expect((cleared.body as Shown).labels).toEqual({});
  });

  test('a patch changes `updatedAt` only if it changes another field', async () => {
    const { id, updatedAt } = await create({ type: 'ping', name: 'same', host: 'localhost' });
    expect(((await patch(id, {})).body as Shown).updatedAt).toBe(updatedAt);
    expect(((await patch(id, { name: 'same', interval: 60 })).body as Shown).updatedAt).toBe(updatedAt);
    const moved = (await patch(id, { name: 'other' })).body as Shown;
    expect(Date.parse(String(moved.updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(updatedAt)));
  });

  test.each([
    ['the type', { type: 'http' }, 'type'],
    ['a field of another type', { port: 80 }, 'port'],
    ['an unknown field', { intervall: 5 }, 'intervall'],
    ['an unknown field to null', { intervall: null }, 'intervall'],
    ['a field of another type to null', { port: null }, 'port'],
    ['a required field to null', { hostname: null }, 'hostname'],
    ['a field to a wrong value', { recordType: 'PTR' }, 'recordType'],
  ])('a patch cannot change %s', async (_, fields, path) => {
    const { id } = await create({ type: 'dns', name: 'd', hostname: 'example.com' });
    const before = (await daemon.request('GET', `/api/monitors/${id}`)).body as Shown;
    const answer = await patch(id, fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
    const withFault = await patch(id, { ...fields, timeout: 0 });
    const { errors } = withFault.body as { errors: { path: string }[] };
    expect(errors.map((fault) => fault.path).toSorted()).toEqual([path, 'timeout'].toSorted());
    const after = (await daemon.request('GET', `/api/monitors/${id}`)).body as Shown;
    expect(after.updatedAt).toBe(before.updatedAt);
  });

  test('the error names every fault of a body, and suggests the nearest known name for an unknown field', async () => {
    const { status, body } = await daemon.request('POST', '/api/monitors', {
      type: 'tcp',
      name: '',
      prot: 80,
      interval: 0,
    });
    expect(status).toBe(400);
    const { errors } = body as { errors: { path: string; message: string }[] };
    expect(errors.map((fault) => fault.path).toSorted()).toEqual(['host', 'interval', 'name', 'port', 'prot']);
    expect(errors.find((fault) => fault.path === 'prot')?.message).toContain('`port`');
  });

  test('if the type of a monitor is unknown, the error still names the faults of the fields that all types have', async () => {
    const faultsOf = async (fields: object) => {
      const { status, body } = await daemon.request('POST', '/api/monitors', fields);
      expect(status).toBe(400);
      return (body as { errors: { path: string; message: string }[] }).errors;
    };
    expect(await faultsOf({ tpye: 'http', name: 'n' })).toEqual([
      { path: 'tpye', message: 'unknown field; did you mean `type`?' },
      { path: 'type', message: `must be one of ${monitorTypes.join(', ')}` },
    ]);
    const paths = (await faultsOf({ type: 'x', name: '', interval: 0, key: 'A' })).map(({ path }) => path);
    expect(paths).toEqual(['type', 'name', 'interval', 'key']);
  });

  test('a key is unique among the monitors of a project, and the list can be filtered by key and name', async () => {
    const key = 'my-key';
    const { id } = await create({ type: 'heartbeat', name: 'keyed', key });
    const again = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'other', key });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const other = await create({ type: 'heartbeat', name: 'other', key: 'other-key' });
    expect((await patch(other.id, { key })).status).toBe(409);
    expect((await patch(id, { key })).status).toBe(200);
    expect(((await daemon.request('GET', `/api/monitors?key=${key}`)).body as Shown[]).map((one) => one.id)).toEqual([
      id,
    ]);
    expect((await daemon.request('GET', '/api/monitors?name=keyed')).body).toHaveLength(1);
    expect((await daemon.request('GET', '/api/monitors?name=nobody')).body).toEqual([]);
    const someone = await daemon.another(`key-${database.name}`);
    const theirs = { type: 'heartbeat', name: 'keyed', key };
    expect((await daemon.request('POST', '/api/monitors', theirs, { apiKey: someone.apiKey })).status).toBe(201);
  });

  test('only one of eight concurrent creates with the same key succeeds', async () => {
    const twin = { type: 'heartbeat', name: 'twin', key: 'twin' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => daemon.request('POST', '/api/monitors', twin)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(7);
  });

  test('the pages of a list together are the whole list', async () => {
    const whole = (await daemon.request('GET', '/api/monitors')).body as Shown[];
    const joined: Shown[] = [];
    let path: string | null = '/api/monitors?limit=3';
    while (path) {
      const page = await daemon.request('GET', path);
      expect((page.body as Shown[]).length).toBeLessThanOrEqual(3);
      joined.push(...(page.body as Shown[]));
      const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      path = next === undefined ? null : next.slice(daemon.url.length);
    }
    expect(joined.map((one) => one.id)).toEqual(whole.map((one) => one.id));
  });

  test('a create with a used Idempotency-Key gets the first answer again, or a conflict if its body differs', async () => {
    const headers = { 'idempotency-key': 'once' };
    const fields = { type: 'tcp', name: 'idem', host: 'localhost', port: 1 };
    const reordered = Object.fromEntries(Object.entries(fields).toReversed());
    const first = await daemon.request('POST', '/api/monitors', fields, { headers });
    const again = await daemon.request('POST', '/api/monitors', reordered, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body });
    const other = await daemon.request('POST', '/api/monitors', { ...fields, port: 2 }, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const someone = await daemon.another(`idem-${database.name}`);
    const theirs = await daemon.request('POST', '/api/monitors', fields, { headers, apiKey: someone.apiKey });
    expect((theirs.body as Shown).id).not.toBe((first.body as Shown).id);
    expect((await daemon.request('GET', '/api/monitors?name=idem')).body).toHaveLength(1);
  });

  test('eight concurrent creates with one Idempotency-Key make one monitor', async () => {
    const headers = { 'idempotency-key': 'racing' };
    const fields = { type: 'heartbeat', name: 'racing' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => daemon.request('POST', '/api/monitors', fields, { headers })),
    );
    expect(new Set(answers.map((answer) => (answer.body as Shown).id)).size).toBe(1);
    expect((await daemon.request('GET', '/api/monitors?name=racing')).body).toHaveLength(1);
  });

  test('the Idempotency-Key of a refused create can be used again', async () => {
    const headers = { 'idempotency-key': 'refused' };
    const refused = await daemon.request('POST', '/api/monitors', { type: 'tcp', name: 'r' }, { headers });
    expect(refused.status).toBe(400);
    await create({ type: 'heartbeat', name: 'holder', key: 'held' });
    const fields = { type: 'heartbeat', name: 'r', key: 'held' };
    expect((await daemon.request('POST', '/api/monitors', fields, { headers })).status).toBe(409);
    expect((await daemon.request('POST', '/api/monitors', { ...fields, key: 'free' }, { headers })).status).toBe(201);
  });

  test('a check on request runs at once and returns its result, but is refused for a paused monitor and for a heartbeat', async () => {
    const { id } = await create({ type: 'http', name: 'now', url: 'http://localhost/' });
    const checked = await daemon.request('POST', `/api/monitors/${id}/check`);
    expect(checked).toMatchObject({ status: 200, body: { status: 'up', region: 'default', responseTime: 12.5 } });
    await patch(id, { paused: true });
    expect((await daemon.request('POST', `/api/monitors/${id}/check`)).status).toBe(409);
    const heartbeat = await create({ type: 'heartbeat', name: 'now' });
    expect((await daemon.request('POST', `/api/monitors/${heartbeat.id}/check`)).status).toBe(409);
  });

  test('a paused monitor has the status paused and no next check, and is due again when it is resumed', async () => {
    const { id } = await create({ type: 'http', name: 'rest', url: 'http://localhost/', paused: true });
    expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({
      status: 'paused',
      nextCheckAt: null,
    });
    const resumed = (await patch(id, { paused: false })).body as Shown;
    expect(resumed.status).toBe('pending');
    expect(resumed.nextCheckAt).not.toBeNull();
  });

  test('a deleted monitor no longer exists, and a second delete returns not found', async () => {
    const { id } = await create({ type: 'heartbeat', name: 'gone' });
    expect((await daemon.request('DELETE', `/api/monitors/${id}`)).status).toBe(204);
    expect((await daemon.request('DELETE', `/api/monitors/${id}`)).status).toBe(404);
    expect((await daemon.request('GET', `/api/monitors/${id}`)).status).toBe(404);
  });

  test('monitors and their states are the same after a restart', async () => {
    const before = (await daemon.request('GET', '/api/monitors')).body as Shown[];
    await daemon.restart();
    const after = (await daemon.request('GET', '/api/monitors')).body as Shown[];
    const lasting = ({ id, name, createdAt, pingUrl, labels }: Shown) => ({ id, name, createdAt, pingUrl, labels });
    expect(after.map(lasting)).toEqual(before.map(lasting));
  });
});
