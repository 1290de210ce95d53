import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, key, typingContext } from '../../testing/typing-context.ts';
import { recordedContext } from '../../testing/recorded-context.ts';
import type { SettingsFile } from '../../settings.ts';
import { loginToAccount, signUpAccount } from './account.ts';

const { enter, down } = key;
const siteUrl = 'http://uptime.test';
const [shop, blog] = [
  { id: 'prj_1', name: 'Shop\u001b[2J', apiKey: 'uptime_1' },
  { id: 'prj_2', name: 'Blog', apiKey: 'uptime_2' },
];

interface World {
  projects?: readonly object[];
  /** How the server answers a sign-in or sign-up. */
  signIn?: () => Response;
  answers?: readonly Answer[];
}
const signedIn = (headers: Record<string, string> = { 'set-cookie': 'session=abc; Path=/; HttpOnly' }) =>
  Response.json({ user: { email: 'a@b.example', name: 'Ada' }, token: 't' }, { headers });
const refusal = (status: number, code: string, detail: string) => Response.json({ status, code, detail }, { status });

/**
 * Simulates a server with accounts, and creates an empty settings folder. With `answers`, a simulated person types
 * these answers at a terminal.
 */
async function world({ projects = [shop], signIn = signedIn, answers }: World = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'uptime-login-'));
  const sent: { path: string; body: unknown; cookie: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname;
    const body: unknown = request.method === 'POST' ? await request.json() : null;
    sent.push({ path, body, cookie: request.headers.get('cookie') });
    return path === '/api/projects' ? Response.json(projects) : signIn();
  };
  const env = { UPTIME_CONFIG_DIR: folder.path, UPTIME_SITE_URL: siteUrl };
  const piped = recordedContext({ env, fetch });
  const typed = typingContext(answers ?? [], { env, fetch });
  return {
    sent,
    context: answers ? typed.context : piped.context,
    output: () => (answers ? typed.screen() : piped.output.stderr),
    stored: async () => JSON.parse(await readFile(join(folder.path, 'config.json'), 'utf8')) as SettingsFile,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
const account = { settings: {}, email: 'a@b.example', password: 'correct horse' };

test.each([
  ['the only project of the account', [shop], 'uptime_1', 'Commands now use project Shop.'],
  [
    'no project if there are several',
    [shop, blog],
    undefined,
    'You have 2 projects: `uptime projects use <name>` selects one.',
  ],
  [
    'no project if the account has no projects',
    [],
    undefined,
    'You have no project yet: `uptime projects create --name <name> --use`',
  ],
])('without a terminal, a login stores the session with %s', async (_, projects, apiKey, message) => {
  await using it = await world({ projects });
  expect(await loginToAccount(account, it.context)).toBe('ok');
  const profile = { siteUrl, session: expect.stringContaining('session=abc') as string, ...(apiKey && { apiKey }) };
  expect(await it.stored()).toMatchObject({ current: 'default', profiles: { default: profile } });
  expect((await it.stored()).profiles!['default']!.apiKey).toBe(apiKey);
  expect(it.output()).toContain(message);
  expect(it.output()).toContain(`Logged in to ${siteUrl} as a@b.example (profile default).`);
});

test('on a terminal, a login asks for address, password and project, and hides the password', async () => {
  await using it = await world({
    projects: [shop, blog],
    answers: [
      [`E-mail address of your account on ${siteUrl}`, ` a@b.example ${enter}`],
      ['Password of a@b.example', `correct horse${enter}`],
      ['Project to work on', `${down}${enter}`],
    ],
  });
  await loginToAccount({ settings: {}, email: undefined, password: undefined }, it.context);
  expect(it.sent[0]).toMatchObject({ body: { email: 'a@b.example', password: 'correct horse' }, cookie: null });
  expect(it.sent[1]).toMatchObject({ path: '/api/projects', cookie: expect.stringContaining('session=abc') as string });
  expect((await it.stored()).profiles!['default']!.apiKey).toBe('uptime_2');
  expect(it.output()).not.toContain('correct horse');
});

test.each<[string, object, string, string]>([
  ['address', { email: undefined }, 'no e-mail address was given', 'add --email <address>'],
  ['password', { password: undefined }, 'no password was given', 'add --password'],
])('without a terminal, a missing %s leads to an error before any request', async (_, fields, message, next) => {
  await using it = await world();
  await expect(loginToAccount({ ...account, ...fields }, it.context)).rejects.toMatchObject({
    message: expect.stringContaining(message) as string,
    next: expect.stringContaining(next) as string,
    exit: 'usage',
  });
  expect(it.sent).toEqual([]);
});

test.each<[string, () => Response, object]>([
  [
    'a wrong password',
    () => refusal(401, 'unauthenticated', 'Wrong.'),
    { message: 'the server does not accept this e-mail address and password', exit: 'unauthorised' },
  ],
  ['a rate limit', () => refusal(429, 'rate_limited', 'Too many sign-ins.'), { detail: 'Too many sign-ins.' }],
  [
    'a server that sets no cookie',
    () => signedIn({}),
    { message: 'the server accepted the sign-in, but set no session cookie' },
  ],
])('a login that fails because of %s stores nothing', async (_, signIn, error) => {
  await using it = await world({ signIn });
  await expect(loginToAccount(account, it.context)).rejects.toMatchObject(error);
  await expect(it.stored()).rejects.toThrow('ENOENT');
});

test('a sign-up asks for a missing name, and sends the name and the invitation', async () => {
  await using it = await world({ answers: [['Your name', `Ada${enter}`]] });
  await signUpAccount({ ...account, name: undefined, invitation: 'abc' }, it.context);
  expect(it.sent[0]!.body).toEqual({
    name: 'Ada',
    email: account.email,
    password: account.password,
    invitation: 'abc',
  });
  await using other = await world();
  await signUpAccount({ ...account, name: 'Ada', invitation: undefined }, other.context);
  expect(other.sent[0]!.body).not.toHaveProperty('invitation');
});

test('the error of a sign-up without a needed invitation says who can create an invitation', async () => {
  await using it = await world({ signIn: () => refusal(403, 'forbidden', 'Sign-up needs an invitation.') });
  await expect(signUpAccount({ ...account, name: 'Ada', invitation: undefined }, it.context)).rejects.toMatchObject({
    exit: 'unauthorised',
    next: expect.stringContaining('uptimed admin invite') as string,
  });
});

test('after a login to another server, a message says which login it replaced', async () => {
  await using it = await world();
  await loginToAccount(account, it.context);
  await loginToAccount({ ...account, settings: { siteUrl: 'http://other.test' } }, it.context);
  expect(it.output()).toContain(`This replaced the login to ${siteUrl}; \`--profile <name>\` keeps both.`);
  expect((await it.stored()).profiles!['default']!.siteUrl).toBe('http://other.test');
  await loginToAccount({ ...account, settings: { profile: 'work' } }, it.context);
  expect(it.output()).toContain('Commands use profile work from now on; `--profile default` uses the previous one.');
});
