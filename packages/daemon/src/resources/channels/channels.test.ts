import { createHash } from 'node:crypto';
import { configDigestText } from '@uptime/sdk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../store/seal.ts';
import { databases } from '../../testing/databases.ts';
import { alertRow } from '../../testing/outbox.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { hang, httpTarget, status } from '../../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  name: string;
  config: Record<string, unknown>;
  configDigest: string;
  lastSentAt: string | null;
  lastError: string | null;
  updatedAt: string;
}

const path = '/api/notification-channels';
const digest = (id: string, config: object) => createHash('sha256').update(configDigestText(id, config)).digest('hex');

describe.each(databases)('channels on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const create = async (fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', path, fields);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  const slack = (name: string, webhookUrl = 'https://hooks.example.com/services/abcdefgh') =>
    create({ type: 'slack', name, config: { webhookUrl } });
  const patch = (id: string, fields: unknown) => daemon.request('PATCH', `${path}/${id}`, fields);
  const shown = async (id: string) =>
    ((await daemon.request('GET', path)).body as Shown[]).find((channel) => channel.id === id)!;

  test('create fills defaults in, masks secrets, and returns the digest of the plain config', async () => {
    const plain = {
      url: 'https://h.example/hook/12345678',
      method: 'PUT',
      headers: { Authorization: 'Bearer 87654321' },
    };
    const made = await create({ type: 'webhook', name: 'hook', key: 'hook', config: plain });
    expect(made).toMatchObject({
      key: 'hook',
      type: 'webhook',
      config: {
        url: 'https://h.example/••••5678',
        method: 'PUT',
        headers: { Authorization: '••••4321' },
        secret: null,
      },
      configDigest: digest(made.id, { ...plain, secret: null }),
      lastSentAt: null,
      lastError: null,
    });
    expect(made.id).toMatch(/^chn_/);
    expect(await shown(made.id)).toEqual(made);
  });

  test('a stored config is sealed', async () => {
    const { id } = await slack('sealed', 'https://hooks.example.com/services/plainly');
    const row = await daemon.store.db.selectFrom('channel').select('config').where('id', '=', id).executeTakeFirst();
    expect(row?.config).toMatch(/^v1\./);
    expect(Buffer.from(row!.config.slice(3), 'base64url').includes('plainly')).toBe(false);
  });

  test('a masked value that is sent back keeps the stored one, and so does a missing field', async () => {
    const plain = { url: 'https://h.example/12345678', method: 'POST', headers: { A: '11111111', B: '22222222' } };
    const { id, config, updatedAt } = await create({ type: 'webhook', name: 'm', config: plain });
    const same = (await patch(id, { config })).body as Shown;
    expect(same).toMatchObject({ configDigest: digest(id, { ...plain, secret: null }), updatedAt });
    const one = (await patch(id, { config: { headers: { ...(config.headers as object), B: 'new value', C: null } } }))
      .body as Shown;
    expect(one.configDigest).toBe(digest(id, { ...plain, secret: null, headers: { A: '11111111', B: 'new value' } }));
    const gone = (await patch(id, { config: { headers: { a: null, A: null }, method: null } })).body as Shown;
    expect(gone.configDigest).toBe(digest(id, { ...plain, secret: null, headers: { B: 'new value' } }));
  });

  test('a mask of something else is refused, on create too', async () => {
    const { id } = await slack('m2');
    const fault = { path: 'config.webhookUrl', message: expect.stringContaining('masked') as string };
    const stale = await patch(id, { config: { webhookUrl: 'https://hooks.example.com/••••zzzz' } });
    expect(stale).toMatchObject({ status: 400, body: { errors: [fault] } });
    const config = { webhookUrl: 'https://hooks.example.com/••••efgh' };
    const made = await daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(made).toMatchObject({ status: 400, body: { errors: [fault] } });
    const nameless = await daemon.request('POST', path, { type: 'slack', name: '', config });
    expect(nameless).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }, fault] } });
  });

  describe("a channel's destination changes only together with its secrets", () => {
    const refusedAt = (at: string, ...names: string[]) => ({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [
          { path: at, message: expect.stringContaining(names.map((name) => `\`${name}\``).join(' and ')) as string },
        ],
      },
    });

    test('the stored token of a webhook is never sent to a new address', async () => {
      const [old, other] = await Promise.all([httpTarget(), httpTarget()]);
      const headers = { Authorization: 'Bearer stored-token', 'X-Team': 'ops-team' };
      const config = { url: `${old.url}/hook`, headers, secret: 'signing-secret' };
      const made = await create({ type: 'webhook', name: 'moved', config });
      const url = `${other.url}/hook`;
      const told = refusedAt('config.url', 'headers.Authorization').body;
      const alone = await patch(made.id, { config: { url } });
      expect(alone).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
      const masked = await patch(made.id, { config: { ...made.config, url } });
      expect(masked).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
      const half = await patch(made.id, {
        config: { url, headers: { ...(made.config.headers as object), 'X-Team': 'ops-team' }, secret: null },
      });
      expect(half).toMatchObject({ status: 400, body: told });
      expect((await daemon.request('POST', `${path}/${made.id}/test`)).status).toBe(200);
      expect(other.requests).toEqual([]);

      const given = await patch(made.id, {
        config: { url, headers: { authorization: 'Bearer new', 'X-Team': null }, secret: null },
      });
      expect(given.status).toBe(200);
      expect((await daemon.request('POST', `${path}/${made.id}/test`)).status).toBe(200);
      expect(other.requests).toMatchObject([{ headers: { authorization: 'Bearer new' } }]);
      expect(other.requests[0]!.headers).not.toHaveProperty('x-team');
      await Promise.all([old.close(), other.close()]);
    });

    test.each([
      ['opsgenie', { apiKey: '12345678' }, { region: 'eu' }, 'apiKey'],
      [
        'matrix',
        { homeserverUrl: 'https://m.example', roomId: '!r:m', accessToken: 'syt_abcdefgh' },
        { homeserverUrl: 'https://evil.example' },
        'accessToken',
      ],
    ] as const)('of %s too', async (type, config, moved, secret) => {
      const { id } = await create({ type, name: type, config });
      expect(await patch(id, { config: moved })).toMatchObject(refusedAt(`config.${Object.keys(moved)[0]}`, secret));
      const whole = { ...config, ...moved };
      expect((await patch(id, { config: whole })).status).toBe(200);
    });

    test('a channel without secrets, and one with the same destination, change freely', async () => {
      const bare = await create({ type: 'webhook', name: 'bare', config: { url: 'https://h.example/12345678' } });
      expect((await patch(bare.id, { config: { url: 'https://h.example/87654321' } })).status).toBe(200);
      const { id } = await create({ type: 'opsgenie', name: 'eu', config: { apiKey: '12345678', region: 'eu' } });
      expect((await patch(id, { config: { region: 'eu' }, name: 'renamed' })).status).toBe(200);
    });
  });

  test('an unknown field that holds a mask is reported as unknown', async () => {
    const config = { webhookUrl: 'https://hooks.example.com/a', webhookURL: '••••efgh', headers: { A: '••••' } };
    const { status, body } = await daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [
        { path: 'config.webhookURL', message: 'unknown field; did you mean `webhookUrl`?' },
        { path: 'config.headers', message: 'unknown field' },
      ],
    });
  });

  test('every mask of a body is named, and too many fields are refused in one sentence', async () => {
    const masks = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`m${n}`, '••••']));
    const told = async (fields: object) => {
      const { status, body } = await daemon.request('POST', path, { name: 'x', ...fields });
      expect(status).toBe(400);
      return (body as { errors: { path: string; message: string }[] }).errors;
    };
    // 900 masks, and the required field.
    expect(await told({ type: 'slack', config: masks(900) })).toHaveLength(901);
    const headers = await told({ type: 'webhook', config: { url: 'https://h.example/', headers: masks(50) } });
    expect(headers).toHaveLength(50);
    expect(headers[0]).toEqual({ path: 'config.headers.m0', message: expect.stringContaining('masked') as string });
    const message = 'must have at most 1000 fields, counting nested ones';
    expect(await told({ type: 'slack', config: masks(38_000) })).toEqual([{ path: '', message }]);
  });

  test('masks in places where no config has a field are not reported one by one', async () => {
    const masks = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`m${n}`, '••••']));
    const config = { ['k'.repeat(3000)]: masks };
    const { status, body } = await daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(status).toBe(400);
    expect((body as { errors: unknown[] }).errors).toHaveLength(2);
  });

  test('without a known type, faults of the common fields are reported too', async () => {
    const config = { webhookURL: 'x', url: 5, nonsense: 1 };
    for (const type of [undefined, 'pigeon']) {
      const { status, body } = await daemon.request('POST', path, { type, name: '', key: 'A', config, nmae: 'x' });
      expect(status).toBe(400);
      const { errors } = body as { errors: { path: string; message: string }[] };
      expect(errors.map((fault) => `${fault.path} ${fault.message}`)).toEqual([
        expect.stringMatching(/^type must be one of email, /),
        expect.stringMatching(/^key must be /),
        expect.stringMatching(/^name must be /),
        'config.webhookURL unknown field; did you mean `webhookUrl`?',
        'config.nonsense unknown field',
        'nmae unknown field; did you mean `name`?',
      ]);
    }
  });

  test.each([
    ['a required field by null', { config: { webhookUrl: null } }, 'config.webhookUrl'],
    ['the config by null', { config: null }, 'config'],
    ['the name by null', { name: null }, 'name'],
    ['a field of another type', { config: { apiKey: 'x' } }, 'config.apiKey'],
    ['the type without a config of its own', { type: 'discord' }, 'config.webhookUrl'],
    [
      'the type with a masked value',
      { type: 'discord', config: { webhookUrl: 'https://hooks.example.com/••••efgh' } },
      'config.webhookUrl',
    ],
    ['an unknown field', { nmae: 'x' }, 'nmae'],
    ['an unknown field to null', { nmae: null }, 'nmae'],
    ['an unknown field of its config to null', { config: { webhookURL: null } }, 'config.webhookURL'],
    ['all by a list', [], ''],
  ])('a patch cannot change %s', async (_, fields, at) => {
    const made = await slack('p');
    const answer = await patch(made.id, fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: at }] } });
    expect(await shown(made.id)).toEqual(made);
  });

  test('a new type needs a whole config, which replaces the old one', async () => {
    const { id } = await slack('t');
    const config = { apiKey: '12345678' };
    expect((await patch(id, { type: 'opsgenie', config })).body).toMatchObject({
      type: 'opsgenie',
      config: { apiKey: '••••5678', region: 'us' },
    });
  });

  test('with a new type null removes fields of the old one, and unknown fields stay refused', async () => {
    const { id } = await slack('n');
    const url = 'https://h.example/12345678';
    const patched = await patch(id, { type: 'webhook', config: { webhookUrl: null, url } });
    expect(patched).toMatchObject({ status: 200, body: { type: 'webhook', config: { url: expect.any(String) } } });
    const wrong = await patch(id, { type: 'slack', config: { webhookUrl: url, url: null, apiKey: null, uri: null } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'config.apiKey' }, { path: 'config.uri' }] },
    });
    const same = await patch(id, { config: { webhookUrl: null } });
    expect(same).toMatchObject({ status: 400, body: { errors: [{ path: 'config.webhookUrl' }] } });
  });

  test('a key is unique among channels, and lists are filtered and paged', async () => {
    const config = { address: 'ops@example.com' };
    const { id } = await create({ type: 'email', name: 'keyed', key: 'k', config });
    const again = await daemon.request('POST', path, { type: 'email', name: 'other', key: 'k', config });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const other = await slack('other');
    expect((await patch(other.id, { key: 'k' })).status).toBe(409);
    expect((await patch(id, { key: 'k' })).status).toBe(200);
    expect((await daemon.request('GET', `${path}?key=k`)).body).toMatchObject([{ id }]);
    expect((await daemon.request('GET', `${path}?name=nobody`)).body).toEqual([]);
    const whole = (await daemon.request('GET', path)).body as Shown[];
    const first = await daemon.request('GET', `${path}?limit=2`);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!.slice(daemon.url.length);
    const rest = await daemon.request('GET', next.replace('limit=2', 'limit=1000'));
    expect([...(first.body as Shown[]), ...(rest.body as Shown[])]).toEqual(whole);
  });

  test('a test sends one message at once, and the channel shows that it arrived', async () => {
    const target = await httpTarget();
    const { id } = await slack('to test', `${target.url}/services/12345678`);
    const answer = await daemon.request('POST', `${path}/${id}/test`);
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(target.requests).toMatchObject([{ method: 'POST', url: '/services/12345678' }]);
    expect(target.requests[0]!.body).toContain('to test');
    const { lastSentAt, lastError } = await shown(id);
    expect(lastError).toBeNull();
    expect(lastSentAt).not.toBeNull();
    expect(await daemon.store.db.selectFrom('delivery').select('id').execute()).toEqual([]);
    await target.close();
  });

  test('a test that arrives ends the wait for a rate limit', async () => {
    const target = await httpTarget();
    const { id } = await slack('limited', `${target.url}/services/12345678`);
    const limited = { wait_until: Date.now() + 900_000, limits: 3 };
    await daemon.store.db.updateTable('channel').set(limited).where('id', '=', id).execute();
    expect(await daemon.request('POST', `${path}/${id}/test`)).toMatchObject({ status: 200 });
    const kept = daemon.store.db.selectFrom('channel').select(['wait_until', 'limits']).where('id', '=', id);
    const { wait_until: waitUntil, limits } = await kept.executeTakeFirstOrThrow();
    expect(waitUntil).toBeLessThanOrEqual(Date.now());
    expect(limits).toBe(0);
    await target.close();
  });

  test("a refused test shows the provider's answer, in the channel and in /healthz too", async () => {
    const target = await httpTarget(status(403, 'invalid_token for the team'));
    const { id } = await slack('refused', `${target.url}/services/12345678`);
    const answer = await daemon.request('POST', `${path}/${id}/test`);
    expect(answer).toMatchObject({ status: 502, body: { code: 'delivery_failed' } });
    expect((answer.body as { detail: string }).detail).toContain('invalid_token for the team');
    expect((await shown(id)).lastError).toContain('invalid_token for the team');
    const health = await daemon.request('GET', '/healthz');
    const { warnings } = health.body as { warnings: string[] };
    expect(warnings).toEqual([`1 channel whose latest message did not arrive: ${id}`]);

    const mended = await httpTarget();
    await patch(id, { config: { webhookUrl: `${mended.url}/services/12345678` } });
    expect(await shown(id)).toMatchObject({ lastError: null });
    await Promise.all([target.close(), mended.close()]);
  });

  test('while a test waits for its provider, other writes continue, and the daemon can close', async () => {
    const target = await httpTarget(hang);
    const { id } = await slack('hangs', `${target.url}/services/12345678`);
    const waiting = daemon.request('POST', `${path}/${id}/test`);
    await expect.poll(() => target.requests.length).toBe(1);
    await patch(id, { name: 'renamed meanwhile' });
    expect((await shown(id)).name).toBe('renamed meanwhile');
    await daemon.restart();
    expect(await waiting).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await target.close();
  });

  test('a deleted channel is gone, with the messages that waited for it', async () => {
    const { id } = await slack('gone');
    const { db } = daemon.store;
    const { seq: channel } = await db
      .selectFrom('channel')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const alert = await db
      .insertInto('alert')
      .values(
        alertRow(`alr_${id}`, {
          channel,
          at: Date.now(),
          project_id: daemon.project.id,
          channel_id: id,
          channel_name: 'gone',
          remind_at: Date.now() + 1e9,
        }),
      )
      .returning('seq')
      .executeTakeFirstOrThrow();
    const delivery = (kind: 'alarm' | 'recovery', next_at: number | null) => ({
      id: `dlv_${kind}_${channel}`,
      alert: alert.seq,
      channel,
      lane: `1:1:${channel}`,
      kind,
      notice: '{}',
      status: 'pending' as const,
      next_at,
      created_at: 1,
      finished_at: null,
    });
    await db
      .insertInto('delivery')
      .values([delivery('alarm', Date.now() + 1e9), delivery('recovery', null)])
      .execute();

    expect((await daemon.request('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await daemon.request('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await shown(id)).toBeUndefined();
    const reason = 'The channel was deleted.';
    expect((await daemon.request('GET', `/api/deliveries?alertId=alr_${id}`)).body).toMatchObject([
      { kind: 'alarm', status: 'failed', channelName: 'gone', attempts: [{ text: reason }] },
      { kind: 'recovery', status: 'failed', attempts: [{ text: reason }] },
    ]);
    expect((await daemon.request('GET', `/api/alert-history/alr_${id}`)).body).toMatchObject({
      deliveryStatus: 'failed',
      error: reason,
    });
    expect(await db.selectFrom('alert').select('remind_at').where('seq', '=', alert.seq).execute()).toEqual([
      { remind_at: null },
    ]);
    const again = await daemon.request('POST', `/api/deliveries/dlv_alarm_${channel}/redeliver`);
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

test('a channel stored under another secret key says so, and a whole config repairs it', async () => {
  const env = { UPTIME_SECRET_KEY: 'one secret key of thirty-two letters' };
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  const config = { webhookUrl: 'https://hooks.example.com/services/abcdefgh' };
  const made = (await daemon.request('POST', path, { type: 'slack', name: 's', config })).body as Shown;
  // As if it had been sealed with a lost key.
  const foreign = createSeal('another').close(JSON.stringify(config), made.id);
  await daemon.store.db.updateTable('channel').set({ config: foreign }).execute();

  const [shown] = (await daemon.request('GET', path)).body as Shown[];
  expect(shown).toMatchObject({ config: {}, lastError: expect.stringContaining('Send the config again') as string });
  const test = await daemon.request('POST', `${path}/${made.id}/test`);
  expect(test).toMatchObject({ status: 502, body: { detail: shown!.lastError } });
  const health = await daemon.request('GET', '/healthz');
  expect(health.body).toMatchObject({
    warnings: [`1 channel whose config cannot be read, because it was stored under another secret key: ${made.id}`],
  });
  const renamed = await daemon.request('PATCH', `${path}/${made.id}`, { name: 'other' });
  expect(renamed).toMatchObject({ status: 409, body: { detail: shown!.lastError } });
  const masked = await daemon.request('PATCH', `${path}/${made.id}`, { config: made.config });
  expect(masked).toMatchObject({ status: 400, body: { errors: [{ path: 'config.webhookUrl' }] } });
  const healed = await daemon.request('PATCH', `${path}/${made.id}`, { config });
  expect(healed).toMatchObject({ status: 200, body: { configDigest: made.configDigest, lastError: null } });
  await daemon.close();
});

test('tests are throttled for each channel separately', async () => {
  const daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_RATE_LIMIT: 'on' } });
  const target = await httpTarget();
  const ids = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const config = { webhookUrl: `${target.url}/services/12345678` };
      return ((await daemon.request('POST', path, { type: 'slack', name, config })).body as Shown).id;
    }),
  );
  const ask = (id: string) => daemon.request('POST', `${path}/${id}/test`);
  for (let attempt = 0; attempt < 10; attempt++) expect((await ask(ids[0]!)).status).toBe(200);
  const refused = await ask(ids[0]!);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(ids[1]!)).status).toBe(200);
  expect(target.requests).toHaveLength(11);
  await Promise.all([daemon.close(), target.close()]);
});
