import { scryptSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Overrides } from '../daemon.ts';
import { authTables } from '../store/auth-tables.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

const password = 'correct horse';

interface Signed {
  session: { id: string; expiresAt: string };
}

describe.each(databases)('accounts on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const session = (cookie: string) => daemon.request('GET', '/api/auth/get-session', undefined, { cookie });
  const signIn = (email: string, secret = password) =>
    daemon.request('POST', '/api/auth/sign-in/email', { email, password: secret }, { apiKey: null });
  const cookieOf = (answer: { headers: Headers }) =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');

  test('the first account becomes admin, and the second account does not', async () => {
    const someone = await daemon.another('second');
    expect((await session(daemon.cookie)).body).toMatchObject({ user: { email: daemon.email, role: 'admin' } });
    expect((await session(someone.cookie)).body).toMatchObject({ user: { role: 'user' } });
  });

  test('signing in opens a session of 7 days, in a cookie that scripts cannot read', async () => {
    const answer = await signIn(daemon.email);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/Max-Age=604800.*HttpOnly.*SameSite=Lax/i);
    const { body } = await session(cookieOf(answer));
    const { expiresAt } = (body as Signed).session;
    const week = 7 * 24 * 3_600_000;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - week)).toBeLessThan(60_000);
  });

  test('if a session is used an hour or more after its last renewal, the session and its cookie last seven more days', async () => {
    const { cookie } = await daemon.another('sliding');
    const week = 7 * 24 * 3_600_000;
    const ends = async () => Date.parse(((await session(cookie)).body as Signed).session.expiresAt);
    const { id } = ((await session(cookie)).body as Signed).session;
    for (const path of ['/api/auth/get-session', '/api/projects']) {
      const usedAgo = (ms: number) => {
        const at = new Date(Date.now() + week - ms);
        const expiresAt = database.name === 'sqlite' ? at.toISOString() : at;
        return sql`update "session" set "expiresAt" = ${expiresAt} where "id" = ${id}`.execute(daemon.store.db);
      };
      const use = async () => (await daemon.request('GET', path, undefined, { cookie })).headers.getSetCookie().join();
      await usedAgo(50 * 60_000);
      expect(await use()).toBe('');
      await usedAgo(4 * 24 * 3_600_000);
      expect(await use()).toMatch(/session_token=.*Max-Age=604800/);
      expect(Math.abs((await ends()) - Date.now() - week)).toBeLessThan(60_000);
    }
  });

  test('the server refuses a sign-up with an address that has an account, even if the case of the letters differs', async () => {
    const body = { name: 'x', email: daemon.email.toUpperCase(), password };
    const answer = await daemon.request('POST', '/api/auth/sign-up/email', body, { apiKey: null });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('sign-up and password change refuse the most common passwords', async () => {
    const body = { name: 'x', email: 'common@example.com', password: 'password' };
    const signUp = await daemon.request('POST', '/api/auth/sign-up/email', body, { apiKey: null });
    const fault = { message: 'must not be one of the most common passwords' };
    expect(signUp).toMatchObject({ status: 400, body: { errors: [{ path: 'password', ...fault }] } });
    const { cookie } = await daemon.another('changer');
    const change = { currentPassword: password, newPassword: '12345678' };
    const changed = await daemon.request('POST', '/api/auth/change-password', change, { cookie });
    expect(changed).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword', ...fault }] } });
  });

  test('simultaneous sign-ups with one e-mail address create one account', async () => {
    const body = { name: 'x', email: 'twins@example.com', password };
    const ask = () => daemon.request('POST', '/api/auth/sign-up/email', body, { apiKey: null });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(2);
    expect((await signIn('twins@example.com')).status).toBe(200);
  });

  test('a wrong password and an unknown address get the same answer', async () => {
    const [wrong, unknown] = [await signIn(daemon.email, 'wrong'), await signIn('nobody@example.com')];
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const withoutId = (body: unknown) => ({ ...(body as object), requestId: null });
    expect(withoutId(unknown.body)).toEqual(withoutId(wrong.body));
  });

  test('signing out ends the session at once, and signing out twice succeeds', async () => {
    const cookie = cookieOf(await signIn(daemon.email));
    expect((await daemon.request('POST', '/api/auth/sign-out', undefined, { cookie })).status).toBe(200);
    expect(await session(cookie)).toMatchObject({ status: 200, body: null });
    expect((await daemon.request('GET', '/api/projects', undefined, { cookie })).status).toBe(401);
    expect((await daemon.request('POST', '/api/auth/sign-out', undefined, { cookie })).status).toBe(200);
    expect((await daemon.request('POST', '/api/auth/sign-out', undefined, { apiKey: null })).status).toBe(200);
  });

  test('get-session returns null without a session', async () => {
    for (const cookie of ['', 'uptime.session_token=forged.c2ln', 'other=1']) {
      expect(await session(cookie)).toMatchObject({ status: 200, body: null });
    }
  });

  const sessionsOf = async (cookie: string) => {
    const { body } = await daemon.request('GET', '/api/auth/sessions', undefined, { cookie });
    return body as { id: string; current: boolean; userAgent: string | null; createdAt: string }[];
  };

  test('the list of sessions begins with the oldest session, has the User-Agent of each session, and marks the current session', async () => {
    const { cookie, email } = await daemon.another('everywhere');
    const headers = { 'user-agent': `a browser${'!'.repeat(300)}` };
    const body = { email, password };
    const second = cookieOf(await daemon.request('POST', '/api/auth/sign-in/email', body, { apiKey: null, headers }));
    const sessions = await sessionsOf(second);
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    expect(sessions[1]!.userAgent).toBe(`a browser${'!'.repeat(191)}`);
    expect((await sessionsOf(cookie)).map(({ current }) => current)).toEqual([true, false]);
    const all = JSON.stringify(sessions);
    for (const one of [cookie, second]) expect(all).not.toContain(one.split('=')[1]!.split('.')[0]);
  });

  test('a revoked session ends at once, and sessions of other accounts cannot be distinguished from unknown sessions', async () => {
    const { cookie, email } = await daemon.another('leaver');
    const other = cookieOf(await signIn(email));
    const [first] = await sessionsOf(cookie);
    const revoke = (id: string, by: string) =>
      daemon.request('DELETE', `/api/auth/sessions/${id}`, undefined, { cookie: by });
    const [foreign, unknown] = [await revoke(first!.id, daemon.cookie), await revoke('nothing', daemon.cookie)];
    const withoutId = ({ status, body }: { status: number; body: unknown }) => ({
      status,
      body: { ...(body as object), requestId: null },
    });
    expect(foreign.status).toBe(404);
    expect(withoutId(foreign)).toEqual(withoutId(unknown));
    expect((await revoke(first!.id, other)).status).toBe(204);
    expect(await session(cookie)).toMatchObject({ status: 200, body: null });
    expect((await revoke(first!.id, other)).status).toBe(404);
    expect((await sessionsOf(other)).map(({ current }) => current)).toEqual([true]);
  });

  test('changing a password replaces the old password, ends every session, and opens a new session', async () => {
    const { cookie, email } = await daemon.another('careful');
    const other = cookieOf(await signIn(email));
    const change = (body: object) => daemon.request('POST', '/api/auth/change-password', body, { cookie });
    const wrong = await change({ currentPassword: 'wrong', newPassword: 'battery staple' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await change({ currentPassword: password, newPassword: 'short' })).status).toBe(400);
    expect((await session(other)).body).not.toBeNull();

    const changed = await change({ currentPassword: password, newPassword: 'battery staple' });
    expect(changed).toMatchObject({ status: 200, body: { user: { email } } });
    for (const ended of [cookie, other]) expect(await session(ended)).toMatchObject({ status: 200, body: null });
    expect((await session(cookieOf(changed))).body).toMatchObject({ user: { email } });
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, 'battery staple')).status).toBe(200);
  });

  test('a session survives a restart', async () => {
    await daemon.restart();
    expect((await session(daemon.cookie)).body).toMatchObject({ user: { email: daemon.email } });
  });

  test('the server serves only the documented paths of the account library', async () => {
    for (const path of [
      'ok',
      'error',
      'list-sessions',
      'revoke-session',
      'callback/github',
      'reset-password/x',
      'verify-email',
    ]) {
      expect((await daemon.request('GET', `/api/auth/${path}`)).status).toBe(404);
    }
    for (const path of [
      'change-email',
      'update-user',
      'delete-user',
      'forget-password',
      'sign-in/social',
      'revoke-sessions',
      'set-password',
    ]) {
      expect((await daemon.request('POST', `/api/auth/${path}`, {})).status).toBe(404);
    }
  });
});

test('passwords are stored as scrypt hashes at full cost, each with its own salt', async () => {
  await using daemon = await disposable({}, { passwords: undefined });
  await daemon.another('bob');
  const stored = await authTables(daemon.store.db).selectFrom('account').select('password').execute();
  const hashes = stored.map((row) => String(row.password));
  for (const hash of hashes) {
    const [salt = '', key] = hash.split(':');
    expect(scryptSync(password, salt, 64, { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex')).toBe(key);
  }
  expect(new Set(hashes).size).toBe(2);
});

test('the server refuses a sign-up if sign-up is closed', async () => {
  const setting = { UPTIME_SIGNUP: 'closed' };
  await expect(createTestDaemon({ env: setting, runCheck: passingCheck })).rejects.toThrow(/Sign-up is closed/);
});

test('the server throttles sign-in attempts, and its refusal says how long to wait', async () => {
  await using daemon = await disposable({ UPTIME_RATE_LIMIT: 'on' });
  const ask = () => daemon.request('POST', '/api/auth/sign-in/email', {}, { apiKey: null });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await ask()).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  const answer = await ask();
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await daemon.request('GET', '/api/monitors')).status).toBe(200);
});

test('on an https site the session cookie is Secure', async () => {
  await using daemon = await disposable({ UPTIME_SITE_URL: 'https://status.example.com' });
  const body = { email: 'ada@example.com', password };
  const url = '/api/auth/sign-in/email';
  const answer = await daemon.inject({ method: 'POST', url, payload: body });
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^__Host-.*Path=\/;.*Secure/);
  const headers = { cookie: cookie.split(';')[0], origin: 'https://evil.example' };
  const signOut = await daemon.inject({ method: 'POST', url: '/api/auth/sign-out', headers });
  expect(signOut.statusCode).toBe(403);
});

async function disposable(env: Record<string, string>, overrides: Overrides = {}) {
  const daemon = await createTestDaemon({ env, runCheck: passingCheck, ...overrides });
  return { ...daemon, [Symbol.asyncDispose]: () => daemon.close() };
}
