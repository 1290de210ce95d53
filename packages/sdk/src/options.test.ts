import { afterEach, describe, expect, test, vi } from 'vitest';
import { TimeoutError, Uptime, UptimeError } from './index.ts';
import { closers, failure, hang, json, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** The address and headers of the request that a client with these options sends. */
const sentBy = async (options: object) => {
  const sent: { url: string; headers: Headers }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ url: new Request(input).url, headers: new Headers(init?.headers) });
    return Response.json([]);
  };
  await new Uptime({ siteUrl: 'http://uptime.test', fetch, ...options }).monitors.list();
  return sent[0]!;
};

describe('the credential of a client', () => {
  test.each([
    [{ apiKey: 'uptime_a' }, { 'x-api-key': 'uptime_a' }],
    [{ apiKey: '  uptime_a  ' }, { 'x-api-key': 'uptime_a' }],
    [{ session: 'sid=1' }, { cookie: 'sid=1', origin: 'http://uptime.test' }],
    [
      { session: 'sid=1', siteUrl: 'https://h:8443/sub' },
      { cookie: 'sid=1', origin: 'https://h:8443' },
    ],
    [
      { session: 'sid=1', projectId: 'prj_1' },
      { cookie: 'sid=1', 'x-project-id': 'prj_1' },
    ],
    [
      { apiKey: 'uptime_a', session: 'sid=1' },
      { 'x-api-key': 'uptime_a', cookie: 'sid=1' },
    ],
  ])('a client with the options %j sends the headers %j', async (options, headers) => {
    const sent = await sentBy(options);
    expect(Object.fromEntries(sent.headers)).toMatchObject(headers);
  });

  test('the API key of a client comes from UPTIME_API_KEY if neither a key nor a session is given', async () => {
    vi.stubEnv('UPTIME_API_KEY', 'uptime_env');
    expect((await sentBy({})).headers.get('x-api-key')).toBe('uptime_env');
    expect((await sentBy({ apiKey: 'uptime_mine' })).headers.get('x-api-key')).toBe('uptime_mine');
    for (const options of [{ session: 'sid=1' }, { apiKey: null }, { apiKey: '' }])
      expect((await sentBy(options)).headers.has('x-api-key'), JSON.stringify(options)).toBe(false);
  });

  test.each(['apiKey', 'session', 'projectId'])(
    'the option %s may not contain a character that a header cannot carry',
    (option) => {
      for (const value of ['a\nb', 'a\0b', 'schlüssel', '\u007f']) {
        const make = () => new Uptime({ siteUrl: 'http://h', apiKey: null, [option]: value });
        expect(make, value).toThrow(new UptimeError(`${option} has characters that a header cannot carry.`));
      }
    },
  );
});

describe('the address of a server', () => {
  test.each([
    [{ siteUrl: 'http://h' }, 'http://h/api/monitors'],
    [{ siteUrl: 'http://h///' }, 'http://h/api/monitors'],
    [{ siteUrl: 'HTTP://H:80/Sub' }, 'http://h/Sub/api/monitors'],
    [{ siteUrl: 'http://[::1]:3000' }, 'http://[::1]:3000/api/monitors'],
    [{ siteUrl: 'http://h', baseUrl: 'https://api.example.com/v1' }, 'https://api.example.com/v1/monitors'],
  ])('a client with the options %j sends its request to %s', async (options, url) =>
    expect((await sentBy(options)).url).toBe(url),
  );

  test('without siteUrl, the address of the server comes from UPTIME_SITE_URL, or else is port 3000 of this machine', async () => {
    vi.stubEnv('UPTIME_SITE_URL', 'https://uptime.example.com/');
    expect((await sentBy({ siteUrl: undefined })).url).toBe('https://uptime.example.com/api/monitors');
    vi.stubEnv('UPTIME_SITE_URL', '');
    expect((await sentBy({ siteUrl: undefined })).url).toBe('http://127.0.0.1:3000/api/monitors');
  });

  test.each([
    '',
    'h',
    'h:3000',
    '//h',
    'ftp://h',
    'http://',
    'http://a@h',
    'http://:p@h',
    'http://h?a=1',
    'http://h#a',
  ])('the address %j is refused', (value) => {
    const words = 'must be an http:// or https:// address, without user, query or fragment.';
    expect(() => new Uptime({ siteUrl: value })).toThrow(new UptimeError(`siteUrl ${words}`));
  });

  test('an address in the option baseUrl is validated like an address in siteUrl', () => {
    expect(() => new Uptime({ siteUrl: 'http://h', baseUrl: 'ftp://h' })).toThrow(/^baseUrl must be/);
  });
});

describe('the headers of a call', () => {
  test('the headers of a call ask for JSON, and the caller can replace each header', async () => {
    const { client, seen } = await serve(json(200, []));
    await client().monitors.list();
    await client().monitors.list({}, { headers: { Accept: 'text/plain', 'X-Api-Key': 'uptime_other' } });
    expect(seen.map(({ headers }) => [headers.accept, headers['x-api-key']])).toEqual([
      ['application/json', 'uptime_secret'],
      ['text/plain', 'uptime_other'],
    ]);
  });

  test('the headers of a call say that its body is JSON', async () => {
    const { client, seen } = await serve(json(201, {}));
    await client().projects.create({ name: 'Käse 🧀' });
    expect(seen[0]).toMatchObject({ body: '{"name":"Käse 🧀"}' });
    expect(seen[0]!.headers['content-type']).toBe('application/json');
  });

  test('the headers of any call carry the idempotency key that the caller gives', async () => {
    const { client, seen } = await serve(json(200, {}));
    await client().monitors.update('mon_1', {}, { idempotencyKey: 'mine' });
    expect(seen[0]!.headers['idempotency-key']).toBe('mine');
  });
});

describe('the timeout of a call', () => {
  test('the timeout of a call comes from the options of the call, or else from the options of the client', async () => {
    const { client } = await serve(hang);
    const uptime = client({ timeout: 30, retries: 0 });
    expect(await failure(uptime.monitors.list())).toMatchObject({
      message: 'GET /monitors got no answer within 30 ms.',
    });
    const error = await failure(uptime.monitors.list({}, { timeout: 20 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: 'GET /monitors got no answer within 20 ms.' });
  });

  test.each([
    [undefined, 30_000],
    [5000, 5000],
    [0, null],
    [-1, null],
    // `setTimeout` cannot wait 2^31 ms, and would fire at once. So the SDK sets no timer.
    [2 ** 31, null],
    [Infinity, null],
  ])('a timeout of %j ms sets a timer of %j ms (null: no timer)', async (timeout, expected) => {
    const { client } = await serve(json(200, []));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await client({ timeout }).monitors.list();
    const waits = timers.mock.calls.map(([, wait]) => wait);
    timers.mockRestore();
    if (expected === null) expect(waits).not.toContain(timeout);
    else expect(waits).toContain(expected);
  });
});

describe('the number of attempts', () => {
  test.each([
    [{ retries: 0 }, {}, 1],
    [{ retries: 4 }, {}, 5],
    [{ retries: 4 }, { retries: 1 }, 2],
    [{}, {}, 3],
  ])(
    'with the client options %j and the call options %j, the number of attempts is %i',
    async (options, call, attempts) => {
      const { client, seen } = await serve(problem(503, 'unavailable', {}, { 'retry-after': '0' }));
      await failure(client(options).monitors.list({}, call));
      expect(seen).toHaveLength(attempts);
    },
  );
});
