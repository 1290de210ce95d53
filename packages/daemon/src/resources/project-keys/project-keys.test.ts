import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disableAccount, enableAccount } from '../../accounts/disabled-accounts.ts';
import { selfHosted } from '../../plans/account-plan.ts';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, type RequestOptions, type TestDaemon } from '../../testing/test-daemon.ts';

interface Key {
  id: string;
  name: string;
  scope: string;
  key: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

const far = '2999-01-01T00:00:00.000Z';

describe.each(databases)('project keys on $name', (database) => {
  let daemon: TestDaemon;
  const lines: { message: string; fields: object }[] = [];
  const log = (fields: object, message: string) => void lines.push({ message, fields });
  beforeAll(async () => {
    daemon = await createTestDaemon({
      database,
      runCheck: passingCheck,
      log: { debug: log, info: log, warn: log, error: log },
    });
  });
  afterAll(() => daemon.close());

  const path = () => `/api/projects/${daemon.project.id}/keys`;
  const post = (body: object, options?: RequestOptions) => daemon.request('POST', path(), body, options);
  let count = 0;
  const create = async (more: object = {}) => {
    const answer = await post({ name: `key ${++count}`, scope: 'read', ...more });
    expect(answer.status).toBe(201);
    return answer.body as Key;
  };
  const revoke = ({ id }: Key) => daemon.request('DELETE', `${path()}/${id}`);
  const statusBy = async ({ key }: Key) =>
    (await daemon.request('GET', '/api/monitors', undefined, { apiKey: key })).status;
  const listed = async () => (await daemon.request('GET', path())).body as Key[];

  test('the API shows a key only once, and the database has only the digest of the key', async () => {
    const made = await create({ name: 'ci', scope: 'apply', expiresAt: '2999-01-01T01:00:00+01:00' });
    expect(made).toMatchObject({ name: 'ci', scope: 'apply', expiresAt: far, lastUsedAt: null });
    expect(made.key).toMatch(/^uptime_[0-9A-Za-z]{40}$/);
    const { key: _, ...shown } = made;
    expect((await listed()).find(({ id }) => id === made.id)).toEqual(shown);
    const stored = await daemon.store.db.selectFrom('project_key').selectAll().where('id', '=', made.id).execute();
    expect(JSON.stringify(stored)).not.toContain(made.key.slice(-20));
  });

  test('a create that is repeated with the same Idempotency-Key returns the same key, and the stored answer has it encrypted', async () => {
    const options = { headers: { 'idempotency-key': 'again' } };
    const body = { name: 'repeated', scope: 'full' };
    const [first, again] = [await post(body, options), await post(body, options)];
    expect(again).toMatchObject({ status: 201, body: first.body as object });
    const kept = await daemon.store.db.selectFrom('idempotency').select('body').where('key', '=', 'again').execute();
    expect(kept).toHaveLength(1);
    expect(kept[0]!.body).not.toContain((first.body as Key).key.slice(-20));
  });

  test('the name of a key is unique in its project, and the list of keys has pages', async () => {
    await create({ name: 'taken' });
    expect(await post({ name: 'taken', scope: 'ping' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const all = await listed();
    const first = await daemon.request('GET', `${path()}?limit=2`);
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    const rest = await daemon.request('GET', `${path()}?cursor=${cursor}`);
    expect([...(first.body as Key[]), ...(rest.body as Key[])]).toEqual(all);
  });

  test.each([
    [{ scope: 'read' }, 'name'],
    [{ name: 'x' }, 'scope'],
    [{ name: 'x', scope: 'write' }, 'scope'],
    [{ name: 'x', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'x', scope: 'read', expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('the API refuses the key %o, and the error names the field %s', async (body, field) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
  });

  test('a key stops working when it expires, and the error names the time of its expiry', async () => {
    const key = await create({ expiresAt: far });
    expect(await statusBy(key)).toBe(200);
    const { db } = daemon.store;
    // The daemon's clock may be a few milliseconds behind the clock of this test.
    const expiresAt = Date.now() - 10;
    await db.updateTable('project_key').set({ expires_at: expiresAt }).where('id', '=', key.id).execute();
    const answer = await daemon.request('GET', '/api/monitors', undefined, { apiKey: key.key });
    expect(answer).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/expired on \d{4}-/) as string },
    });
  });

  test('a revoked key stops working at once, and all other keys of the project still work', async () => {
    const [gone, other] = [await create(), await create()];
    expect(await statusBy(gone)).toBe(200);
    expect((await revoke(gone)).status).toBe(204);
    expect(await statusBy(gone)).toBe(401);
    expect(await statusBy(other)).toBe(200);
    expect((await revoke(gone)).status).toBe(404);
    expect((await daemon.request('GET', '/api/monitors')).status).toBe(200);
  });

  test('if a key is revoked while a request sends its body, the server refuses the request', async () => {
    const key = await create({ scope: 'apply' });
    const body = JSON.stringify({ type: 'heartbeat', name: 'too late' });
    const { port } = new URL(daemon.url);
    const headers = { 'x-api-key': key.key, 'content-type': 'application/json', 'content-length': body.length };
    const sending = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/monitors', headers });
    sending.write(body.slice(0, 10));
    // Waits until the use of the key is recorded. Then the server has accepted the credential of the request.
    await expect.poll(async () => (await listed()).find(({ id }) => id === key.id)?.lastUsedAt).toBeTruthy();
    await revoke(key);
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sending.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    sending.end(body.slice(10));
    expect(await answered).toBe(401);
  });

  test('a write at the moment of the revocation of its key is either stored before the revocation or refused', async () => {
    const key = await create({ scope: 'apply' });
    const write = (n: number) =>
      daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `race ${n}` }, { apiKey: key.key });
    const names = async () =>
      ((await daemon.request('GET', '/api/monitors')).body as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => name.startsWith('race'));
    const writes = Array.from({ length: 20 }, (_, n) => write(n));
    const revoked = (await revoke(key)).status;
    const made = await names();
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(revoked).toBe(204);
    expect(new Set([...statuses, 401])).toEqual(new Set(statuses.includes(201) ? [201, 401] : [401]));
    expect((await names()).toSorted()).toEqual(made.toSorted());
  });

  test('after a project gets a new key of its own, its keys for machines still work', async () => {
    const someone = await daemon.another(`renewer-${database.name}`);
    const at = `/api/projects/${someone.project.id}`;
    const body = { name: 'ci', scope: 'full' };
    const key = (await daemon.request('POST', `${at}/keys`, body, { apiKey: someone.apiKey })).body as Key;
    const renewed = await daemon.request('POST', `${at}/api-key`, undefined, { apiKey: key.key });
    // The machine never sees the project's own key. Otherwise the machine could continue with that key after the
    // machine's key is revoked.
    expect(renewed).toMatchObject({ status: 200, body: { apiKey: expect.stringMatching(/^••••\w{4}$/) as string } });
    expect(await statusBy(key)).toBe(200);
    expect((await daemon.request('GET', at, undefined, { apiKey: someone.apiKey })).status).toBe(401);
    expect((await daemon.request('GET', at, undefined, { cookie: someone.cookie })).body).toMatchObject({
      apiKey: expect.stringMatching(/^uptime_/) as string,
    });
  });

  test('a key cannot create a key that expires later', async () => {
    const key = await create({ scope: 'full', expiresAt: '2998-01-01T00:00:00Z' });
    const by = { apiKey: key.key };
    for (const expiresAt of [null, far]) {
      const refused = await post({ name: 'heir', scope: 'full', expiresAt }, by);
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await post({ name: 'heir', scope: 'full', expiresAt: '2997-01-01T00:00:00Z' }, by)).status).toBe(201);
  });

  test('a user with a session can manage keys, and the session has the scope full', async () => {
    const by = { cookie: daemon.cookie };
    const made = await post({ name: 'by session', scope: 'ping' }, by);
    expect(made.status).toBe(201);
    expect((await daemon.request('GET', `${path()}/current`, undefined, by)).body).toMatchObject({
      id: null,
      scope: 'full',
    });
    expect((await daemon.request('DELETE', `${path()}/${(made.body as Key).id}`, undefined, by)).status).toBe(204);
  });

  test('a key of any scope can read its own scope and expiry, and the path names its project by id or as `current`', async () => {
    const key = await create({ scope: 'ping', expiresAt: far });
    for (const id of ['current', daemon.project.id]) {
      const own = await daemon.request('GET', `/api/projects/${id}/keys/current`, undefined, { apiKey: key.key });
      const { name, scope, expiresAt } = key;
      expect(own).toMatchObject({
        status: 200,
        body: { projectId: daemon.project.id, id: key.id, name, scope, expiresAt },
      });
    }
  });

  test('the keys of a disabled account stop working', async () => {
    const someone = await daemon.another(`disabled-${database.name}`);
    const body = { name: 'ci', scope: 'read' };
    const at = `/api/projects/${someone.project.id}/keys`;
    const key = (await daemon.request('POST', at, body, { apiKey: someone.apiKey })).body as Key;
    const project = await daemon.store.db
      .selectFrom('project')
      .select('user_id')
      .where('id', '=', someone.project.id)
      .executeTakeFirstOrThrow();
    const change = { rules: { charged: false, unpaid: selfHosted }, now: Date.now() };
    await daemon.store.write((trx) => disableAccount(trx, project.user_id, { ...change, refusePings: false }));
    expect(await statusBy(key)).toBe(401);
    await daemon.store.write((trx) => enableAccount(trx, project.user_id, change));
    expect(await statusBy(key)).toBe(200);
  });

  test('the last use of a key is written once a minute, and the log names keys by their ids', async () => {
    const key = await create();
    const lastUse = async () => (await listed()).find(({ id }) => id === key.id)?.lastUsedAt ?? null;
    await Promise.all(Array.from({ length: 20 }, () => statusBy(key)));
    await expect.poll(lastUse).not.toBeNull();
    const first = await lastUse();
    await statusBy(key);
    expect(await lastUse()).toBe(first);
    const { db } = daemon.store;
    const minuteAgo = Date.parse(first!) - 60_000;
    await db.updateTable('project_key').set({ last_used_at: minuteAgo }).where('id', '=', key.id).execute();
    await statusBy(key);
    await expect.poll(async () => Date.parse((await lastUse())!)).toBeGreaterThan(minuteAgo);

    const requests = lines.filter(({ message }) => message === 'request').map(({ fields }) => fields);
    expect(requests).toContainEqual(expect.objectContaining({ key: key.id, project: daemon.project.id }));
    expect(requests).toContainEqual(expect.objectContaining({ key: 'own', project: daemon.project.id }));
    expect(JSON.stringify(lines)).not.toContain(key.key);
    expect(JSON.stringify(lines)).not.toContain(daemon.apiKey);
  });

  test('deleting a project also deletes its keys', async () => {
    const someone = await daemon.another(`leaver-${database.name}`);
    const at = `/api/projects/${someone.project.id}`;
    const body = { name: 'ci', scope: 'full' };
    const key = (await daemon.request('POST', `${at}/keys`, body, { apiKey: someone.apiKey })).body as Key;
    expect((await daemon.request('DELETE', at, undefined, { apiKey: key.key })).status).toBe(204);
    expect(await statusBy(key)).toBe(401);
    const left = daemon.store.db.selectFrom('project_key').select('id').where('id', '=', key.id);
    expect(await left.execute()).toEqual([]);
  });
});

test('a plan limits the number of keys', async () => {
  const env = { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open', UPTIME_RATE_LIMIT: 'on' };
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  try {
    // The first account is the operator's, which has no limits. So this creates a second account.
    const { project, apiKey } = await daemon.another('bob');
    const path = `/api/projects/${project.id}/keys`;
    const create = (n: number) => daemon.request('POST', path, { name: `key ${n}`, scope: 'read' }, { apiKey });
    const statuses = [];
    for (let n = 0; n <= 20; n++) statuses.push((await create(n)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(201), 402]);
  } finally {
    await daemon.close();
  }
});
