import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import { version } from '../../version.ts';
import type { Finding } from './finding.ts';
import { examineServer } from './server.ts';

const env = { UPTIME_SITE_URL: 'http://uptime.test', UPTIME_CONFIG_DIR: '/nonexistent' };

// The fake clock stands half a second after a full second. The Date header drops this half second, and `examineServer`
// adds it again. So the differences in these tests are exact.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00.500Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Examines a server that gives this answer to the health request of doctor. */
async function examine(body: object, { apartSeconds = 0, status = 200, key = '', date = true } = {}) {
  const keys: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    keys.push(new Headers(new Request(input, init).headers).get('x-api-key'));
    // The time of the server, without fractions of a second, as in a real Date header.
    const headers: Record<string, string> = date
      ? { date: new Date(Date.now() + apartSeconds * 1000).toUTCString() }
      : {};
    return Response.json(body, { status, headers });
  };
  const { context } = recordedContext({ env: { ...env, ...(key && { UPTIME_API_KEY: key }) }, fetch });
  const found = await examineServer({}, context);
  return { keys, find: (what: Finding['what']) => found.filter((one) => one.what === what) };
}

const healthy = { status: 'ok', version, reason: null, warnings: [] };

describe('the clock of the server', () => {
  test.each([
    [0, 'ok', /^within 5 s of the server's$/],
    [5, 'ok', /^within 5 s of the server's$/],
    [-5, 'ok', /^within 5 s of the server's$/],
    [3600, 'warning', /^3600 s behind the server's$/],
    [-6, 'warning', /^6 s ahead of the server's$/],
  ])(
    'if the clock of the server is %i s ahead of this machine, doctor reports the state %s',
    async (apartSeconds, state, says) => {
      expect((await examine(healthy, { apartSeconds })).find('clock')).toMatchObject([
        { state, says: expect.stringMatching(says) },
      ]);
    },
  );

  test('the clock of a server is unknown if the server sends no date', async () => {
    expect((await examine(healthy, { date: false })).find('clock')).toMatchObject([
      { state: 'ok', says: expect.stringContaining('unknown') },
    ]);
  });
});

test.each([
  [version, 'ok', `${version}, the same as this program`],
  ['0.0.1', 'warning', `the server has 0.0.1, this program ${version}`],
])('if the server has the version %s, doctor reports the state %s', async (of, state, says) => {
  expect((await examine({ ...healthy, version: of })).find('version')).toMatchObject([{ state, says }]);
});

test('if a server is unhealthy, doctor reports `failed`, and shows the reason that the server gives', async () => {
  const ill = { status: 'unavailable', code: 'unavailable', version, reason: 'The disk is full.', warnings: ['Late.'] };
  expect((await examine(ill, { status: 503 })).find('server')).toMatchObject([
    { state: 'failed', says: 'reports that it is unavailable: The disk is full.' },
    { state: 'warning', says: 'Late.' },
  ]);
});

test.each([
  ['a key', 'uptime_0123456789', 'uptime_0123456789'],
  ['no key', '', null],
  ['a key with a character that no header carries', 'uptime_é', null],
  ['a key with a line break', 'uptime_1\n2', null],
])(
  'with %s in the settings, doctor sends its health request with the key only if a header can carry the key',
  async (_, key, sent) => {
    const { keys, find } = await examine(healthy, { key });
    expect(keys).toEqual([sent]);
    expect(find('server')).toMatchObject([{ state: 'ok' }]);
  },
);

test('if a server does not answer, doctor reports `failed` and says how to start a server', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
  const { context } = recordedContext({ env, fetch });
  const [finding, ...more] = await examineServer({}, context);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    what: 'server',
    state: 'failed',
    says: expect.stringContaining('ECONNREFUSED'),
    next: expect.stringContaining('uptimed serve'),
  });
});
