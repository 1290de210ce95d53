import { type CurrentKey, Uptime } from '@uptime/sdk';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordedContext } from '../testing/recorded-context.ts';
import { examineAccount, examineKey } from './doctor/credentials.ts';
import { examineSettings } from './doctor/settings.ts';
import { keyInUse, describeKey } from './key-in-use.ts';
import { projectInUse, projectOf } from './project-of.ts';

type Answers = Record<string, unknown>;
const problem = (status: number) => Response.json({ status, code: 'x', detail: `Answer ${status}.` }, { status });
const siteUrl = 'http://uptime.test';
const apiKey = `uptime_${'0'.repeat(32)}`;
const project = { id: 'prj_1', name: 'Shop', apiKey };
const current = '/api/projects/current';
const ownKey = `${current}/keys/current`;
const machine = (fields: Partial<CurrentKey> = {}): CurrentKey => ({
  id: 'key_1',
  projectId: 'prj_1',
  name: 'ci',
  scope: 'read',
  expiresAt: null,
  ...fields,
});

/** Simulates a server that answers each path with JSON, or with the status of a failure. Unknown paths get a 404. */
function server(answers: Answers) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url);
    requests.push(pathname);
    const answer = pathname in answers ? answers[pathname] : 404;
    return typeof answer === 'number' ? problem(answer) : Response.json(answer);
  };
  return { requests, fetch, client: new Uptime({ siteUrl, apiKey, fetch, retries: 0 }) };
}

/** Creates a context with a profile on disk. The profile has a key and, if wanted, a session. */
async function profile(answers: Answers, { session = false }: { session?: boolean } = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'uptime-key-'));
  const stored = { siteUrl, apiKey, ...(session && { session: 'cookie=1' }) };
  const file = join(folder.path, 'config.json');
  await writeFile(file, JSON.stringify({ current: 'default', profiles: { default: stored } }), { mode: 0o600 });
  const { fetch, requests, client } = server(answers);
  const { context } = recordedContext({ env: { UPTIME_CONFIG_DIR: folder.path }, fetch });
  return { context, requests, client, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the key of a command', () => {
  const { signal } = new AbortController();

  test.each([400, 403, 404, 405, 501])(
    'keyInUse returns null if the server answers %i, because such a server has no scopes',
    async (status) => {
      expect(await keyInUse(server({ [ownKey]: status }).client, signal)).toBeNull();
    },
  );

  test.each([401, 500, 503])('keyInUse throws an error if the server answers %i', async (status) => {
    await expect(keyInUse(server({ [ownKey]: status }).client, signal)).rejects.toThrow(`Answer ${status}.`);
  });

  test.each<[string, CurrentKey | null, string | null]>([
    ['that is null, because the server has no scopes,', null, null],
    ['that belongs to the project itself', machine({ id: null, name: null }), null],
    ['that never expires', machine(), 'key "ci" with the scope read'],
    ['that expires', machine({ expiresAt: '2030-01-01' }), 'key "ci" with the scope read, until 2030-01-01'],
    [
      'with quotes and control characters in its name',
      machine({ name: 'a"\u001b[2J' }),
      'key "a\\"" with the scope read',
    ],
  ])('a key %s has the right description', (_, key, description) => {
    expect(describeKey(key)).toBe(description);
  });
});

describe('the project of a key', () => {
  const { signal } = new AbortController();

  test('projectOf returns the project that the server names, with a single request', async () => {
    const { client, requests } = server({ [current]: project });
    expect(await projectOf(client, signal)).toMatchObject({ name: 'Shop' });
    expect(requests).toEqual([current]);
  });

  test.each([400, 403, 404])(
    'projectOf returns the project of the first monitor, if the server answers %i to the request for the project',
    async (status) => {
      const { client } = server({
        [current]: status,
        '/api/monitors': [{ projectId: 'prj_1' }],
        '/api/projects/prj_1': project,
      });
      expect(await projectOf(client, signal)).toMatchObject({ name: 'Shop' });
    },
  );

  test('projectOf returns null if there is no monitor, or if the project of the first monitor is unknown', async () => {
    expect(await projectOf(server({ '/api/monitors': [] }).client, signal)).toBeNull();
    expect(await projectOf(server({ '/api/monitors': [{ projectId: 'prj_9' }] }).client, signal)).toBeNull();
  });

  test.each([401, 500])('projectOf throws an error if the server answers %i', async (status) => {
    await expect(projectOf(server({ [current]: status }).client, signal)).rejects.toThrow(`Answer ${status}.`);
  });

  test('projectInUse finds the project among the projects of the account, by the API key', async () => {
    const others = [{ id: 'prj_2', name: 'Other', apiKey: 'uptime_2' }, project];
    await using matching = await profile({ '/api/monitors': [], '/api/projects': others }, { session: true });
    expect(await projectInUse(matching.client, {}, matching.context)).toMatchObject({ name: 'Shop' });
    await using foreign = await profile({ '/api/monitors': [], '/api/projects': [] }, { session: true });
    expect(await projectInUse(foreign.client, {}, foreign.context)).toBeNull();
    await using without = await profile({ '/api/monitors': [] });
    expect(await projectInUse(without.client, {}, without.context)).toBeNull();
  });

  test.each([
    [401, null],
    [403, null],
    [500, 'Answer 500.'],
  ])(
    'if the server answers %i to the request for the projects of the account, the error is %j (null: no error)',
    async (status, fault) => {
      await using it = await profile({ '/api/monitors': [], '/api/projects': status }, { session: true });
      const result = projectInUse(it.client, {}, it.context);
      if (fault === null) expect(await result).toBeNull();
      else await expect(result).rejects.toThrow(fault);
    },
  );
});

describe('doctor', () => {
  const patched = '/api/monitors/mon_0';

  test.each<[string, Answers, object]>([
    [
      'the key of a project',
      { [current]: project, [ownKey]: machine({ id: null, name: null }) },
      { state: 'ok', says: expect.stringContaining('opens project Shop (prj_1), and may read and write') },
    ],
    [
      'a key that may write, on a server without scopes',
      { [current]: project, [patched]: 404 },
      { state: 'ok', says: expect.stringContaining('may read and write') },
    ],
    [
      'a key that may only read, on a server without scopes',
      { [current]: project, [patched]: 403 },
      { state: 'ok', says: expect.stringContaining('may only read'), mayRead: true },
    ],
    [
      'a key of a project that the server does not name',
      { '/api/monitors': [], [patched]: 404 },
      { state: 'ok', says: expect.stringContaining('opens a project that the server does not name') },
    ],
    [
      'a key that may only send pings',
      { [current]: 403, '/api/monitors': [], [ownKey]: machine({ scope: 'ping' }) },
      {
        state: 'ok',
        says: expect.stringContaining('opens project prj_1: key "ci" with the scope ping'),
        mayRead: false,
      },
    ],
    [
      'a key that has expired',
      { [current]: project, [ownKey]: machine({ expiresAt: '2020-01-01T00:00:00Z' }) },
      { state: 'warning', next: expect.stringContaining('uptime keys create --name <name> --scope read') },
    ],
    ['a refused key', { [current]: 401 }, { state: 'failed', says: 'Answer 401. (HTTP 401)', exit: 'unauthorised' }],
    [
      'a server that fails during the last request',
      { [current]: project, [patched]: 500 },
      { state: 'failed', says: 'Answer 500. (HTTP 500)', exit: 'failed' },
    ],
  ])('doctor reports the right finding about %s', async (_, answers, finding) => {
    await using it = await profile(answers);
    const result = await examineKey({}, it.context);
    expect(result).toMatchObject({ what: 'key', ...finding });
    expect(JSON.stringify(result)).not.toContain(apiKey);
  });

  const session = { user: { email: 'a@b.example' }, session: { expiresAt: '2030-01-01' } };
  test.each<[string, unknown, object]>([
    [
      'a valid session',
      session,
      { state: 'ok', says: expect.stringMatching(/^a@b\.example \(.*\), until 2030-01-01$/) },
    ],
    ['an ended session', null, { state: 'failed', says: 'the session has ended', exit: 'unauthorised' }],
    ['a failing server', 500, { state: 'failed', says: 'Answer 500. (HTTP 500)' }],
  ])('for %s, doctor reports the right finding about the account', async (_, answer, finding) => {
    await using it = await profile({ '/api/auth/get-session': answer }, { session: true });
    expect(await examineAccount({}, it.context)).toMatchObject({ what: 'account', ...finding });
  });

  test('doctor accepts a missing session, and warns of a session that belongs to another server', async () => {
    await using it = await profile({});
    expect(await examineAccount({}, it.context)).toMatchObject({ state: 'ok' });
    await using other = await profile({}, { session: true });
    const elsewhere = { siteUrl: 'http://elsewhere.test' };
    expect(await examineAccount(elsewhere, other.context)).toMatchObject({ state: 'warning' });
    expect(other.requests).toEqual([]);
  });

  test('doctor warns of a settings file that other users can read, and accepts a missing settings file', async () => {
    await using it = await profile({});
    expect(examineSettings({}, it.context)[0]).toEqual({ what: 'file', state: 'ok', says: it.file });
    const { chmod } = await import('node:fs/promises');
    await chmod(it.file, 0o644);
    expect(examineSettings({}, it.context)[0]).toMatchObject({ state: 'warning', next: `chmod 600 ${it.file}` });
    const { context } = recordedContext({ env: { UPTIME_CONFIG_DIR: '/nonexistent' } });
    expect(examineSettings({}, context)[0]).toMatchObject({ state: 'ok' });
  });
});
