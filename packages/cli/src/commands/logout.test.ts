import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon, type TestUser } from '../../../daemon/src/testing/test-daemon.ts';
import { testPassword } from '../testing/account.ts';
import { openSession } from '../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Creates a user with two sessions: one in a browser, and one in a profile of the command line. */
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

test('a logout ends only the session of its profile on the server', async () => {
  const { user, session: opened } = await loggedIn('leaver');
  await using session = opened;
  expect(await sessionsOf(user)).toHaveLength(2);
  expect(await session.uptime(['logout'])).toMatchObject({
    exit: 0,
    stderr: 'Logged out and removed profile default.\n',
  });
  expect(await sessionsOf(user)).toMatchObject([{ current: true }]);
  expect(await session.uptime(['sessions', 'list'])).toMatchObject({ exit: 4 });
});

test('if a logout cannot reach the server, it still removes the profile, and a message says that the session is still open', async () => {
  const { user, session: opened } = await loggedIn('cut-off');
  await using session = opened;
  const unreachable = () => Promise.reject(new TypeError('fetch failed'));
  const { exit, stderr } = await session.uptime(['logout'], { fetch: unreachable });
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/could not be ended on the server, so it lasts until it/)]);
  expect(stderr).toContain('removed profile default');
  expect(await sessionsOf(user)).toHaveLength(2);
});
