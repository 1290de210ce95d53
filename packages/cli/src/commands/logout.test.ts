import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon, type TestUser } from '../../../daemon/src/testing/test-daemon.ts';
import { testPassword } from '../testing/account.ts';
import { openSession } from '../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Somebody who is logged in from two places: by a browser, and by a profile. */
async function loggedIn(name: string) {
  const user = await daemon.another(name);
  const session = await openSession({ siteUrl: daemon.url, apiKey: user.apiKey, fetch });
  delete session.env['UPTIME_API_KEY'];
  const login = ['login', '--email', user.email, '--password', '-'];
  expect(await session.uptime(login, { stdin: testPassword })).toMatchObject({ exit: 0 });
  return { user, session };
}

const sessionsOf = async ({ cookie }: TestUser) =>
  (await daemon.request('GET', '/api/auth/sessions', undefined, { cookie })).body as { current: boolean }[];

test('a logout ends the session at the server, and none but that', async () => {
  const { user, session: opened } = await loggedIn('leaver');
  await using session = opened;
  expect(await sessionsOf(user)).toHaveLength(2);
  expect(await session.uptime(['logout'])).toMatchObject({
    exit: 0,
    stderr: 'Logged out: profile default is removed.\n',
  });
  expect(await sessionsOf(user)).toMatchObject([{ current: true }]);
  expect(await session.uptime(['sessions', 'list'])).toMatchObject({ exit: 4 });
});

test('where the server is not reached, the profile is removed all the same, and what stays is said', async () => {
  const { user, session: opened } = await loggedIn('cut-off');
  await using session = opened;
  const unreachable = () => Promise.reject(new TypeError('fetch failed'));
  const { exit, stderr } = await session.uptime(['logout'], { fetch: unreachable });
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/could not be ended at the server, and lasts until it/)]);
  expect(stderr).toContain('profile default is removed');
  expect(await sessionsOf(user)).toHaveLength(2);
});
