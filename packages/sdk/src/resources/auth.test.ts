import { afterEach, expect, test } from 'vitest';
import type { Uptime } from '../index.ts';
import { closers, json, serve } from '../testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const user = { id: 'usr_1', name: 'Ada', email: 'ada@example.com', role: 'admin' };
const session = { id: 'ses_1', current: true, userAgent: null };

/** Each call, the request that it sends, the body of the request, and the answer that the call returns. */
const calls: [string, string, (uptime: Uptime) => Promise<unknown>, object | null, number, unknown][] = [
  [
    'signUp',
    'POST /api/auth/sign-up/email',
    ({ auth }) => auth.signUp({ name: 'Ada', email: 'ada@example.com', password: 'a long secret', invitation: 'x' }),
    { name: 'Ada', email: 'ada@example.com', password: 'a long secret', invitation: 'x' },
    200,
    { user, cookie: null },
  ],
  [
    'signIn',
    'POST /api/auth/sign-in/email',
    ({ auth }) => auth.signIn({ email: 'ada@example.com', password: 'a long secret' }),
    { email: 'ada@example.com', password: 'a long secret' },
    200,
    { user, cookie: null },
  ],
  [
    'changePassword',
    'POST /api/auth/change-password',
    ({ auth }) => auth.changePassword({ currentPassword: 'a long secret', newPassword: 'a longer secret' }),
    { currentPassword: 'a long secret', newPassword: 'a longer secret' },
    200,
    { user, cookie: null },
  ],
  ['getSession', 'GET /api/auth/get-session', ({ auth }) => auth.getSession(), null, 200, { user, session }],
  ['getSession without a session', 'GET /api/auth/get-session', ({ auth }) => auth.getSession(), null, 200, null],
  ['listSessions', 'GET /api/auth/sessions', ({ auth }) => auth.listSessions(), null, 200, [session]],
];

/** Each call whose answer has no body. */
const empty: [string, string, (uptime: Uptime) => Promise<unknown>][] = [
  ['signOut', 'POST /api/auth/sign-out', ({ auth }) => auth.signOut()],
  ['revokeSession', 'DELETE /api/auth/sessions/ses%2F1', ({ auth }) => auth.revokeSession('ses/1')],
];

test.each(calls)('auth.%s sends %s, and returns the answer', async (_, line, call, body, status, answer) => {
  const { client, seen } = await serve(json(status, answer));
  expect(await call(client())).toEqual(answer);
  expect(seen.map((request) => request.line)).toEqual([line]);
  expect(seen[0]!.body).toBe(body === null ? '' : JSON.stringify(body));
});

test.each(empty)('auth.%s sends %s, and returns nothing', async (_, line, call) => {
  const { client, seen } = await serve((_, response) => response.writeHead(204).end());
  expect(await call(client())).toBeUndefined();
  expect(seen.map((request) => `${request.line} ${request.body}`.trim())).toEqual([line]);
});

test('the returned session has only the name and value of each cookie', async () => {
  const { client } = await serve((request, response) => {
    response.setHeader('set-cookie', ['sid=a=b; Path=/; HttpOnly; Secure; SameSite=Lax', 'csrf=1; Max-Age=60']);
    json(200, { user })(request, response, '');
  });
  expect((await client().auth.signIn({ email: 'ada@example.com', password: 'x' })).cookie).toBe('sid=a=b; csrf=1');
  expect((await client().auth.signUp({ name: 'Ada', email: 'a@b.example', password: 'x' })).cookie).toBe(
    'sid=a=b; csrf=1',
  );
});
