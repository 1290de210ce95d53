import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openSession } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

test('a login keeps spaces at the ends of a password, and removes spaces at the ends of a key', async () => {
  await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  const password = '  two blanks and a tab\t';
  const account = { name: 'blank', email: 'blank@example.com', password };
  await daemon.request('POST', '/api/auth/sign-up/email', account, { apiKey: null });
  const login = (...words: string[]) => ['login', ...words];
  const read = login('--email', account.email, '--password', '-');
  expect(await session.uptime(read, { stdin: `${password}\n` })).toMatchObject({ exit: 0 });
  expect(await session.uptime(read, { stdin: password.trim() })).toMatchObject({ exit: 4 });
  expect(await session.uptime(read, { stdin: ' \n' })).toMatchObject({ exit: 2 });
  const key = login('--api-key', '-');
  expect(await session.uptime(key, { stdin: `  ${daemon.apiKey} \n` })).toMatchObject({ exit: 0 });
});
