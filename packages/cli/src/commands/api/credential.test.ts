import { once } from 'node:events';
import type { Endpoint } from '@uptime/sdk/contract';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../exit.ts';
import { recordedContext } from '../../testing/recorded-context.ts';
import { runCommand } from '../../testing/run-command.ts';
import { callApi } from './api.ts';
import { credentialFor } from './credential.ts';
import { requestTarget } from './request-target.ts';

const url = new URL('http://uptime.test/api/x');
const key = { 'x-api-key': 'uptime_0' };
const session = { cookie: 'session=1', origin: 'http://uptime.test' };

/** Returns the headers for an endpoint with this access (null: an unknown endpoint), or the message of the error. */
async function headersFor(access: Endpoint['access'] | null, has: { key?: boolean; session?: boolean }) {
  const { context } = recordedContext({ env: { UPTIME_CONFIG_DIR: '/nonexistent' } });
  const value = (text: string) => ({ value: text, from: 'the test' });
  const settings = {
    ...context.settings({}),
    apiKey: has.key ? value('uptime_0') : null,
    session: has.session ? value('session=1') : null,
  };
  const refuse = (what: string) => () => Promise.reject(new CliError(`no ${what}`));
  const given = { settings: () => settings as never, connect: refuse('key'), connectAccount: refuse('session') };
  const endpoint = access === null ? null : ({ access } as Endpoint);
  return credentialFor({ endpoint, url }, {}, given).catch((error: CliError) => error.message);
}

type Expected = object | string;
describe.each<{
  access: Endpoint['access'] | null;
  withBoth: Expected;
  withKey: Expected;
  withSession: Expected;
  without: Expected;
}>([
  { access: 'project', withBoth: key, withKey: key, withSession: 'no key', without: 'no key' },
  { access: 'session', withBoth: session, withKey: 'no session', withSession: session, without: 'no session' },
  { access: 'admin', withBoth: session, withKey: 'no session', withSession: session, without: 'no session' },
  { access: 'public', withBoth: session, withKey: key, withSession: session, without: {} },
  { access: 'ping', withBoth: {}, withKey: {}, withSession: {}, without: {} },
  // The access is null if this version does not know the path. The command then sends the key, or else the session. The
  // server decides whether that is enough.
  { access: null, withBoth: key, withKey: key, withSession: session, without: 'no session' },
])('a request to an endpoint with the access $access', ({ access, withBoth, withKey, withSession, without }) => {
  test.each([
    ['a key and a session', { key: true, session: true }, withBoth],
    ['a key', { key: true }, withKey],
    ['a session', { session: true }, withSession],
    ['nothing', {}, without],
  ])(
    'with %s in the settings, credentialFor returns the headers that fit the access, or fails if a credential is missing',
    async (_, has, expected) => {
      expect(await headersFor(access, has)).toEqual(expected);
    },
  );
});

test('a path of the API may begin with /api, and the address of the server may itself have a path', () => {
  const at = (path: string, site: string) => requestTarget('GET', path, site).url.href;
  expect(at('/api/monitors?limit=1', 'http://uptime.test')).toBe('http://uptime.test/api/monitors?limit=1');
  expect(at('/monitors', 'http://uptime.test/base')).toBe('http://uptime.test/base/api/monitors');
  expect(at('/healthz', 'http://uptime.test/base')).toBe('http://uptime.test/base/healthz');
  expect(at('/no/such/path', 'http://uptime.test/base')).toBe('http://uptime.test/base/api/no/such/path');
});

describe('a request without an answer', () => {
  const failing = (why: Error) => ({ siteUrl: 'http://uptime.test', fetch: () => Promise.reject(why) });
  const refused = (cause: unknown) => failing(Object.assign(new TypeError('fetch failed'), { cause }));
  test.each([
    ['names the code of its cause', refused({ code: 'ECONNREFUSED' }), '(ECONNREFUSED)'],
    ['names the message of a cause without a code', refused(new Error('bad port')), '(bad port)'],
    [
      'names the message of the failed fetch, if the fetch error has no cause',
      failing(new TypeError('fetch failed')),
      '(fetch failed)',
    ],
  ])('the error about a request without an answer %s', async (_, server, why) => {
    const { exit, stdout, stderr } = await runCommand([callApi], ['api', 'GET', '/monitors'], { server });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`no answer from http://uptime.test ${why}`);
    expect(stderr).toContain('`uptime whoami` shows which server is in use, and why');
  });

  test('the error about a request that reached its timeout says how to wait longer', async () => {
    const server = {
      siteUrl: 'http://uptime.test',
      fetch: async (_: unknown, init?: RequestInit): Promise<Response> => {
        await once(init!.signal!, 'abort');
        throw init!.signal!.reason;
      },
    };
    const { exit, stderr } = await runCommand([callApi], ['api', 'GET', '/monitors', '--timeout', '1s'], { server });
    expect(exit).toBe(1);
    expect(stderr).toContain('no answer from http://uptime.test within 1 s');
    expect(stderr).toContain('add --timeout 5m to wait longer');
  });
});
