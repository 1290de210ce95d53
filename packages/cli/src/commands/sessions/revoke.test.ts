import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { testPassword } from '../../testing/account.ts';
import { openSession } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

test('`sessions revoke` ends a session by its id, and the current session stays valid', async () => {
  await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const login = ['login', '--email', daemon.email, '--password', '-'];
  expect(await session.uptime(login, { stdin: testPassword })).toMatchObject({ exit: 0 });
  const list = async () => (await session.uptime(['sessions', 'list', '-q'])).stdout.trim().split('\n');
  const [first, second] = await list();
  expect(await session.uptime(['sessions', 'revoke', first!])).toMatchObject({
    exit: 0,
    stderr: 'Ended one session.\n',
  });
  expect(await list()).toEqual([second]);
  expect(await session.uptime(['sessions', 'revoke', 'others'])).toMatchObject({ stderr: 'Ended 0 sessions.\n' });
  await session.uptime(login, { stdin: testPassword });
  expect((await session.uptime(['sessions', 'revoke', 'others', '-q'])).stdout.trim()).toBe(second);
  const { status } = await daemon.request('GET', '/api/projects', undefined, { cookie: daemon.cookie });
  expect(status).toBe(401);
});

test('`revoke others` ignores sessions that have just ended by themselves; `revoke <id>` fails for such a session', async () => {
  await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const login = ['login', '--email', daemon.email, '--password', '-'];
  for (let i = 0; i < 4; i++) await session.uptime(login, { stdin: testPassword });
  const others = async () => (await session.uptime(['sessions', 'list', '-q'])).stdout.trim().split('\n');
  const gone: string[] = [];
  const ended: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    // Simulates that the first session of the list has just ended: it is deleted before the command's own request.
    if (request.method === 'DELETE' && gone.push(request.url) === 1) await fetch(request.clone());
    return fetch(request);
  };
  expect(await session.uptime(['sessions', 'revoke', 'others'], { fetch: ended })).toMatchObject({ exit: 0 });
  expect(gone.length).toBeGreaterThan(2);
  expect(await others()).toHaveLength(1);
  expect(await session.uptime(['sessions', 'revoke', gone[0]!.split('/').at(-1)!])).toMatchObject({ exit: 1 });
});
