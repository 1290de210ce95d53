import { createHash } from 'node:crypto';
import { configDigestText } from '@uptime/sdk/contract';
import { describe, expect, test } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { httpTarget } from '../../testing/targets/index.ts';
import { createChannelsWorld, type Shown, path } from '../../testing/channels-world.ts';

const digest = (id: string, config: object) => createHash('sha256').update(configDigestText(id, config)).digest('hex');

describe.each(databases)('channels on $name', (database) => {
  const world = createChannelsWorld(database);

  const { create, slack, patch } = world;

  test('if a patch contains the mask of a stored value, or leaves the field out, the stored value stays', async () => {
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

  test('the API refuses a mask that is not the mask of the stored value, even in a create', async () => {
    const { id } = await slack('m2');
    const fault = { path: 'config.webhookUrl', message: expect.stringContaining('masked') as string };
    const stale = await patch(id, { config: { webhookUrl: 'https://hooks.example.com/••••zzzz' } });
    expect(stale).toMatchObject({ status: 400, body: { errors: [fault] } });
    const config = { webhookUrl: 'https://hooks.example.com/••••efgh' };
    const made = await world.daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(made).toMatchObject({ status: 400, body: { errors: [fault] } });
    const nameless = await world.daemon.request('POST', path, { type: 'slack', name: '', config });
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

    test('a patch cannot make a webhook send its stored token to a new address', async () => {
      const [old, other] = await Promise.all([httpTarget(), httpTarget()]);
      const headers = { Authorization: 'Bearer stored-token', 'X-Team': 'ops-team' };
      const config = { url: `${old.url}/hook`, headers, secret: 'signing-secret' };
      const made = await create({ type: 'webhook', name: 'moved', config });
      const url = `${other.url}/hook`;
      const problem = refusedAt('config.url', 'headers.Authorization').body;
      const alone = await patch(made.id, { config: { url } });
      expect(alone).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
      const masked = await patch(made.id, { config: { ...made.config, url } });
      expect(masked).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
      const half = await patch(made.id, {
        config: { url, headers: { ...(made.config.headers as object), 'X-Team': 'ops-team' }, secret: null },
      });
      expect(half).toMatchObject({ status: 400, body: problem });
      expect((await world.daemon.request('POST', `${path}/${made.id}/test`)).status).toBe(200);
      expect(other.requests).toEqual([]);

      const given = await patch(made.id, {
        config: { url, headers: { authorization: 'Bearer new', 'X-Team': null }, secret: null },
      });
      expect(given.status).toBe(200);
      expect((await world.daemon.request('POST', `${path}/${made.id}/test`)).status).toBe(200);
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
    ] as const)(
      'a patch cannot make a %s channel send its stored secrets to a new address',
      async (type, config, moved, secret) => {
        const { id } = await create({ type, name: type, config });
        expect(await patch(id, { config: moved })).toMatchObject(refusedAt(`config.${Object.keys(moved)[0]}`, secret));
        const whole = { ...config, ...moved };
        expect((await patch(id, { config: whole })).status).toBe(200);
      },
    );

    test('a patch may change the destination of a channel without secrets, and other fields of any channel', async () => {
      const bare = await create({ type: 'webhook', name: 'bare', config: { url: 'https://h.example/12345678' } });
      expect((await patch(bare.id, { config: { url: 'https://h.example/87654321' } })).status).toBe(200);
      const { id } = await create({ type: 'opsgenie', name: 'eu', config: { apiKey: '12345678', region: 'eu' } });
      expect((await patch(id, { config: { region: 'eu' }, name: 'renamed' })).status).toBe(200);
    });
  });

  test('the error says that a field is unknown, even if the field contains a mask', async () => {
    const config = { webhookUrl: 'https://hooks.example.com/a', webhookURL: '••••efgh', headers: { A: '••••' } };
    const { status, body } = await world.daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [
        { path: 'config.webhookURL', message: 'unknown field; did you mean `webhookUrl`?' },
        { path: 'config.headers', message: 'unknown field' },
      ],
    });
  });

  test('the error names every mask that cannot be replaced; if a config has too many fields, the error only says so', async () => {
    const masks = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`m${n}`, '••••']));
    const faultsOf = async (fields: object) => {
      const { status, body } = await world.daemon.request('POST', path, { name: 'x', ...fields });
      expect(status).toBe(400);
      return (body as { errors: { path: string; message: string }[] }).errors;
    };
    // One fault for each of the 900 masks, and one for the missing required field.
    expect(await faultsOf({ type: 'slack', config: masks(900) })).toHaveLength(901);
    const headers = await faultsOf({ type: 'webhook', config: { url: 'https://h.example/', headers: masks(50) } });
    expect(headers).toHaveLength(50);
    expect(headers[0]).toEqual({ path: 'config.headers.m0', message: expect.stringContaining('masked') as string });
    const message = 'must have at most 1000 fields, counting nested ones';
    expect(await faultsOf({ type: 'slack', config: masks(38_000) })).toEqual([{ path: '', message }]);
  });

  test('the error does not name each mask inside an unknown field of the config', async () => {
    const masks = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`m${n}`, '••••']));
    const config = { ['k'.repeat(3000)]: masks };
    const { status, body } = await world.daemon.request('POST', path, { type: 'slack', name: 'x', config });
    expect(status).toBe(400);
    expect((body as { errors: unknown[] }).errors).toHaveLength(2);
  });
});
