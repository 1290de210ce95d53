import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { boundMs } from '../testing/bound-ms.ts';

let daemon: TestDaemon;
let monitor: string;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
  const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
  monitor = (made.body as { id: string }).id;
});
afterAll(() => daemon.close());

const ranges = Object.values<Endpoint>(allEndpoints)
  .filter(({ query }) => query && 'from' in query.shape)
  .map(({ path }) => path);

describe.each(ranges)('%s', (path) => {
  const read = (query: string) => daemon.request('GET', `/api${path.replace(':monitorId', monitor)}?${query}`);

  test.each([
    'from=0000-00-00',
    'from=2026-02-30',
    'from=2026-13-01',
    'from=%2B275760-09-13',
    'from=-000001-01-01',
    'from=2026-1-1',
    'from=1767225600000',
    'from=now',
    'from=',
    'from=2026-01-01T00:00:00Z',
    'from=2026-01-01%0d%0ax:y',
    "from=2026-01-01'--",
    'to=2026-01-32',
    'from=2026-02-01&to=2026-01-01',
    'from=2026-01-01&from=2026-01-02',
    'from[]=2026-01-01',
    'from=NaN&to=Infinity',
  ])('a request with the query %s gets 400', async (query) => {
    expect(await read(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('a request for the longest range of time gets either a refusal or a short answer within two seconds', async () => {
    const begunMonoMs = performance.now();
    const { status, body } = await read('from=0001-01-01&to=9999-12-31');
    expect([200, 400]).toContain(status);
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
    expect(performance.now() - begunMonoMs).toBeLessThan(boundMs(2000));
  });
});

test.each([
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01',
  '+275761-01-01T00:00:00Z',
  '1e9',
  '',
])(
  'the server either refuses a maintenance window that begins at "%s", or stores exactly this time',
  async (scheduledStart) => {
    const window = { title: 'x', maintenance: true, scheduledStart, scheduledEnd: '9999-12-31T23:59:59.999Z' };
    const { status, body } = await daemon.request('POST', '/api/incidents', window);
    if (status === 201) {
      const { scheduledStart: kept } = body as { scheduledStart: string };
      expect(Date.parse(kept)).toBe(Date.parse(scheduledStart));
    } else expect(status).toBe(400);
    expect((await daemon.request('GET', '/api/incidents')).status).toBe(200);
  },
);

const lines = ['a\r\nset-cookie: stolen=1', 'a\nb', 'a\rb', 'a\0b', 'a\u0085b', 'a\u2028b', 'a\u001b[2Jb'];

test.each(lines)('the server refuses %j in every name, title, header, label and address', async (text) => {
  const http = { type: 'http', name: 'x', url: 'http://localhost/' };
  // HTTP allows U+0085 in the value of a header. So the test replaces U+0085 there by a line break, which is not
  // allowed.
  const value = text.replace('\u0085', '\n');
  for (const [path, body] of [
    ['monitors', { ...http, name: text }],
    ['monitors', { ...http, headers: { 'x-a': value } }],
    ['monitors', { ...http, headers: { [text]: 'a' } }],
    ['monitors', { ...http, labels: { [text]: 'a' } }],
    ['monitors', { ...http, url: `http://localhost/${text}` }],
    ['monitors', { type: 'tcp', name: 'x', host: text, port: 1 }],
    ['monitors', { type: 'heartbeat', name: 'x', key: text }],
    ['incidents', { title: text }],
    ['status-pages', { name: text, slug: 'x' }],
    ['status-pages', { name: 'x', slug: text }],
    ['alert-rules', { name: text, monitorIds: [], channelIds: [] }],
    ['notification-channels', { type: 'email', name: text, config: { address: 'ops@example.com' } }],
    ['notification-channels', { type: 'email', name: 'x', config: { address: `ops@example.com${text}` } }],
    [
      'notification-channels',
      { type: 'webhook', name: 'x', config: { url: 'http://localhost/', headers: { 'x-a': value } } },
    ],
  ] as const) {
    expect([path, body, (await daemon.request('POST', `/api/${path}`, body)).status]).toEqual([path, body, 400]);
  }
});

test('a long text may contain line breaks, but not NUL, because PostgreSQL cannot store NUL', async () => {
  const { body, status } = await daemon.request('POST', '/api/incidents', { title: 'x', message: 'a\r\n\tb' });
  expect(status).toBe(201);
  const path = `/api/incidents/${(body as { id: string }).id}`;
  for (const [method, at, input] of [
    ['POST', '/api/incidents', { title: 'x', message: 'a\0b' }],
    ['PATCH', path, { message: 'a\0b' }],
  ] as const) {
    const refused = await daemon.request(method, at, input);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'message' }] } });
  }
});

test('text from a caller cannot add a header to the answer', async () => {
  for (let n = 0; n < 2; n++) await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'x\u00e9"<>' });
  const query = `limit=1&name=${encodeURIComponent('x\u00e9"<>')}`;
  const { headers } = await daemon.request('GET', `/api/monitors?${query}`);
  expect(headers.get('link')).toMatch(/^<[\x21-\x7e]+>; rel="next"$/);
  expect(headers.get('link')!.match(/[<>"]/g)).toHaveLength(4);
  for (const path of [
    '/api/monitors?name=%0d%0aset-cookie:%20a=b',
    '/status/%0d%0aset-cookie:%20a=b',
    '/%0d%0aset-cookie:%20a=b',
  ]) {
    const answer = await daemon.request('GET', path);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

test('a link to the next page leads to this site, whatever Host the caller sends', async () => {
  const { headers } = await daemon.inject({
    url: '/api/monitors?limit=1',
    headers: { 'x-api-key': daemon.apiKey, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  expect(headers['link']).toContain(`<${daemon.url}/`);
});

test('the refusal of a duplicate key names the key, at any depth', async () => {
  for (const body of [
    '{"type":"heartbeat","name":"a","name":"b"}',
    '{"type":"heartbeat","name":"a","labels":{"x":"1","x":"2"}}',
    String.raw`{"type":"heartbeat","name":"a","n\u0061me":"b"}`,
  ]) {
    const message = expect.stringMatching(/^must not have a key twice: "(name|x)"$/) as string;
    expect(await daemon.request('POST', '/api/monitors', body)).toMatchObject({
      status: 400,
      body: { errors: [{ message }] },
    });
  }
});

test('every route with a body refuses nesting that would exhaust the stack', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const arrays = '['.repeat(200_000) + ']'.repeat(200_000);
  for (const { method, path, access, body } of Object.values<Endpoint>(allEndpoints)) {
    if (!body || access === 'ping') continue;
    const url = `/api${path.replace(/:projectId/, daemon.project.id).replaceAll(/:\w+/g, monitor)}`;
    for (const payload of [deep, arrays]) {
      const by = access === 'session' || access === 'admin' ? { cookie: daemon.cookie } : {};
      const { status } = await daemon.request(method, url, payload, by);
      expect([method, path, [400, 404, 409].includes(status)]).toEqual([method, path, true]);
    }
  }
});

const webhook = (config: string) => `{"type":"webhook","name":"x","config":{"url":"http://a/",${config}}}`;
const heartbeat = (field: string) => `{"type":"heartbeat","name":"x",${field}}`;

test.each([
  ['monitors', '{"__proto__":{"a":1}}', '__proto__'],
  ['monitors', heartbeat('"__proto__":{"a":1}'), '__proto__'],
  ['monitors', heartbeat(String.raw`"_\u005fproto__":{"a":1}`), '__proto__'],
  ['monitors', heartbeat('"constructor":{"prototype":1}'), 'constructor'],
  ['monitors', heartbeat('"labels":{"__proto__":"x"}'), 'labels.__proto__'],
  ['monitors', heartbeat('"labels":{"constructor":{"prototype":1}}'), 'labels.constructor'],
  ['monitors', '{"type":"http","name":"x","url":"http://a/","headers":{"__proto__":"x"}}', 'headers.__proto__'],
  ['notification-channels', webhook('"__proto__":{"a":1}'), 'config.__proto__'],
  ['notification-channels', webhook('"constructor":{"prototype":1}'), 'config.constructor'],
  ['notification-channels', webhook('"headers":{"__proto__":"x"}'), 'config.headers.__proto__'],
  ['incidents', '{"title":"x","__proto__":{"a":1}}', '__proto__'],
])('the refusal of POST %s with the body %s names the field %s', async (path, body, field) => {
  const answer = await daemon.request('POST', `/api/${path}`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const { errors } = answer.body as { errors: { path: string }[] };
  expect(errors.map((fault) => fault.path)).toContain(field);
});

test.each([
  ['monitors', '{"__proto__":{"a":1}}', '__proto__'],
  ['monitors', '{"__proto__":null}', '__proto__'],
  ['monitors', '{"constructor":{"prototype":1}}', 'constructor'],
  ['monitors', '{"labels":{"__proto__":"x"}}', 'labels.__proto__'],
  ['notification-channels', '{"__proto__":{"a":1}}', '__proto__'],
  ['notification-channels', '{"config":{"__proto__":{"a":1}}}', 'config.__proto__'],
  ['notification-channels', '{"config":{"headers":{"__proto__":"x"}}}', 'config.headers.__proto__'],
  ['incidents', '{"__proto__":{"a":1}}', '__proto__'],
])('the refusal of PATCH %s with the body %s names the field %s', async (path, body, field) => {
  const bodies: Record<string, string> = {
    monitors: heartbeat('"paused":true'),
    'notification-channels': webhook('"method":"PUT"'),
    incidents: '{"title":"x"}',
  };
  const made = await daemon.request('POST', `/api/${path}`, bodies[path]);
  const url = `/api/${path}/${(made.body as { id: string }).id}`;
  expect(await daemon.request('PATCH', url, body)).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
});

test('a `__proto__` in a body changes no prototype', async () => {
  for (const [method, path, body] of [
    ['POST', 'monitors', '{"name":"x","type":"heartbeat","labels":{"constructor":"x"}}'],
    ['POST', 'monitors', '{"__proto__":{"polluted":1}}'],
    ['POST', 'monitors', '{"constructor":{"prototype":{"polluted":1}}}'],
    ['PATCH', `monitors/${monitor}`, '{"__proto__":{"polluted":1},"labels":{"__proto__":{"polluted":1}}}'],
    ['PATCH', `monitors/${monitor}`, '{"constructor":{"prototype":{"polluted":1}}}'],
    ['POST', 'notification-channels', webhook('"headers":{"__proto__":{"polluted":1}}')],
  ] as const) {
    await daemon.request(method, `/api/${path}`, body);
  }
  await daemon.request('GET', '/api/monitors?__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=1');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
