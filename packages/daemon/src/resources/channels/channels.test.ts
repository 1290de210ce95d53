import { createHash } from 'node:crypto';
import { configDigestText } from '@uptime/sdk/contract';
import { describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { alertRow } from '../../testing/outbox.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { hang, httpTarget, status } from '../../testing/targets/index.ts';
import { createTestDaemon } from '../../testing/test-daemon.ts';
import { createChannelsWorld, type Shown, path } from '../../testing/channels-world.ts';

const digest = (id: string, config: object) => createHash('sha256').update(configDigestText(id, config)).digest('hex');

describe.each(databases)('channels on $name', (database) => {
  const world = createChannelsWorld(database);

  const { create, slack, patch, shown } = world;

  test('creating a channel returns the defaults of fields, masked secrets, and the digest of the unmasked config', async () => {
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

  test('the config of a channel is stored in encrypted form', async () => {
    const { id } = await slack('sealed', 'https://hooks.example.com/services/plainly');
    const row = await world.daemon.store.db
      .selectFrom('channel')
      .select('config')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.config).toMatch(/^v1\./);
    expect(Buffer.from(row!.config.slice(3), 'base64url').includes('plainly')).toBe(false);
  });

  test('if the type of a channel is unknown, the error still names the faults of the fields that all types have', async () => {
    const config = { webhookURL: 'x', url: 5, nonsense: 1 };
    for (const type of [undefined, 'pigeon']) {
      const { status, body } = await world.daemon.request('POST', path, {
        type,
        name: '',
        key: 'A',
        config,
        nmae: 'x',
      });
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
    ['a required field to null', { config: { webhookUrl: null } }, 'config.webhookUrl'],
    ['the config to null', { config: null }, 'config'],
    ['the name to null', { name: null }, 'name'],
    ['a field that the type does not have', { config: { apiKey: 'x' } }, 'config.apiKey'],
    ['the type without a config for the new type', { type: 'discord' }, 'config.webhookUrl'],
    [
      'the type with a masked value',
      { type: 'discord', config: { webhookUrl: 'https://hooks.example.com/••••efgh' } },
      'config.webhookUrl',
    ],
    ['an unknown field', { nmae: 'x' }, 'nmae'],
    ['an unknown field to null', { nmae: null }, 'nmae'],
    ['an unknown field of its config to null', { config: { webhookURL: null } }, 'config.webhookURL'],
    ['anything if the body of the patch is a list', [], ''],
  ])('a patch cannot change %s', async (_, fields, at) => {
    const made = await slack('p');
    const answer = await patch(made.id, fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: at }] } });
    expect(await shown(made.id)).toEqual(made);
  });

  test('a patch with a new type needs a complete config, which replaces the old config', async () => {
    const { id } = await slack('t');
    const config = { apiKey: '12345678' };
    expect((await patch(id, { type: 'opsgenie', config })).body).toMatchObject({
      type: 'opsgenie',
      config: { apiKey: '••••5678', region: 'us' },
    });
  });

  test('a patch with a new type may set fields of the old type to null, but is refused if it has unknown fields', async () => {
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

  test('a key is unique among the channels of a project, and the list of channels has filters and pages', async () => {
    const config = { address: 'ops@example.com' };
    const { id } = await create({ type: 'email', name: 'keyed', key: 'k', config });
    const again = await world.daemon.request('POST', path, { type: 'email', name: 'other', key: 'k', config });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const other = await slack('other');
    expect((await patch(other.id, { key: 'k' })).status).toBe(409);
    expect((await patch(id, { key: 'k' })).status).toBe(200);
    expect((await world.daemon.request('GET', `${path}?key=k`)).body).toMatchObject([{ id }]);
    expect((await world.daemon.request('GET', `${path}?name=nobody`)).body).toEqual([]);
    const whole = (await world.daemon.request('GET', path)).body as Shown[];
    const first = await world.daemon.request('GET', `${path}?limit=2`);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!.slice(world.daemon.url.length);
    const rest = await world.daemon.request('GET', next.replace('limit=2', 'limit=1000'));
    expect([...(first.body as Shown[]), ...(rest.body as Shown[])]).toEqual(whole);
  });

  test('a test of a channel sends one message at once, and the channel shows that the message arrived', async () => {
    const target = await httpTarget();
    const { id } = await slack('to test', `${target.url}/services/12345678`);
    const answer = await world.daemon.request('POST', `${path}/${id}/test`);
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(target.requests).toMatchObject([{ method: 'POST', url: '/services/12345678' }]);
    expect(target.requests[0]!.body).toContain('to test');
    const { lastSentAt, lastError } = await shown(id);
    expect(lastError).toBeNull();
    expect(lastSentAt).not.toBeNull();
    expect(await world.daemon.store.db.selectFrom('delivery').select('id').execute()).toEqual([]);
    await target.close();
  });

  test("if a test message arrives, the channel no longer waits for the provider's rate limit", async () => {
    const target = await httpTarget();
    const { id } = await slack('limited', `${target.url}/services/12345678`);
    const limited = { wait_until: Date.now() + 900_000, limits: 3 };
    await world.daemon.store.db.updateTable('channel').set(limited).where('id', '=', id).execute();
    expect(await world.daemon.request('POST', `${path}/${id}/test`)).toMatchObject({ status: 200 });
    const kept = world.daemon.store.db.selectFrom('channel').select(['wait_until', 'limits']).where('id', '=', id);
    const { wait_until: waitUntil, limits } = await kept.executeTakeFirstOrThrow();
    // The daemon's clock may be a few milliseconds ahead of the machine's clock.
    expect(waitUntil).toBeLessThan(Date.now() + 60_000);
    expect(limits).toBe(0);
    await target.close();
  });

  test("if the provider refuses a test message, the response and the channel show the provider's answer, and /healthz warns", async () => {
    const target = await httpTarget(status(403, 'invalid_token for the team'));
    const { id } = await slack('refused', `${target.url}/services/12345678`);
    const answer = await world.daemon.request('POST', `${path}/${id}/test`);
    expect(answer).toMatchObject({ status: 502, body: { code: 'delivery_failed' } });
    expect((answer.body as { detail: string }).detail).toContain('invalid_token for the team');
    expect((await shown(id)).lastError).toContain('invalid_token for the team');
    const health = await world.daemon.request('GET', '/healthz');
    const { warnings } = health.body as { warnings: string[] };
    expect(warnings).toEqual([`1 channel whose latest message did not arrive: ${id}`]);

    const mended = await httpTarget();
    await patch(id, { config: { webhookUrl: `${mended.url}/services/12345678` } });
    expect(await shown(id)).toMatchObject({ lastError: null });
    await Promise.all([target.close(), mended.close()]);
  });

  test('while a test of a channel waits for the provider, the daemon accepts other writes and can stop', async () => {
    const target = await httpTarget(hang);
    const { id } = await slack('hangs', `${target.url}/services/12345678`);
    const waiting = world.daemon.request('POST', `${path}/${id}/test`);
    await expect.poll(() => target.requests.length).toBe(1);
    await patch(id, { name: 'renamed meanwhile' });
    expect((await shown(id)).name).toBe('renamed meanwhile');
    await world.daemon.restart();
    expect(await waiting).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await target.close();
  });

  test('when a channel is deleted, the messages that waited for the channel are given up', async () => {
    const { id } = await slack('gone');
    const { db } = world.daemon.store;
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
          project_id: world.daemon.project.id,
          channel_id: id,
          channel_name: 'gone',
          remind_at: Date.now() + 1e9,
        }),
      )
      .returning('seq')
      .executeTakeFirstOrThrow();
    const delivery = (kind: 'alarm' | 'recovery', next_at: number | null) => ({
      id: `dlv_${kind}_${channel}`,
      project: world.daemon.project.id,
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

    expect((await world.daemon.request('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await world.daemon.request('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await shown(id)).toBeUndefined();
    const reason = 'The channel was deleted.';
    expect((await world.daemon.request('GET', `/api/deliveries?alertId=alr_${id}`)).body).toMatchObject([
      { kind: 'alarm', status: 'failed', channelName: 'gone', attempts: [{ text: reason }] },
      { kind: 'recovery', status: 'failed', attempts: [{ text: reason }] },
    ]);
    expect((await world.daemon.request('GET', `/api/alert-history/alr_${id}`)).body).toMatchObject({
      deliveryStatus: 'failed',
      error: reason,
    });
    expect(await db.selectFrom('alert').select('remind_at').where('seq', '=', alert.seq).execute()).toEqual([
      { remind_at: null },
    ]);
    const again = await world.daemon.request('POST', `/api/deliveries/dlv_alarm_${channel}/redeliver`);
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

test('the limit on test messages applies to each channel separately', async () => {
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
