import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Uptime } from '@uptime/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannedAnswers } from '../testing/canned-answers.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { createServer } from './create-server.ts';
import { inTurn } from './in-turn.ts';

type Row = Record<string, unknown>;
interface Called {
  isError: boolean;
  text: string;
  json: { data: unknown; total?: number; shown?: number };
}

let client: Client;
let cwd: string;
/** The requests of the last tool call: method, path with query, and body. */
let requests: [method: string, path: string, body?: unknown][];

const answers: Record<string, unknown> = { ...cannedAnswers };
const fetch: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  const path = pathname + search;
  requests.push(text === '' ? [request.method, path] : [request.method, path, JSON.parse(text) as unknown]);
  if (request.method === 'DELETE' || pathname.endsWith('/test')) return new Response(null, { status: 204 });
  if (pathname.endsWith('/check') && answers[pathname]) return Response.json(answers[pathname]);
  const id = pathname.split('/')[3];
  const rows = answers[pathname.split('/').slice(0, 3).join('/')];
  const one = Array.isArray(rows) ? ((rows as Row[]).find((row) => row['id'] === id) ?? rows[0]) : rows;
  return Response.json(request.method === 'GET' ? (answers[pathname] ?? []) : one);
};

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'uptime-tools-'));
  const env = { UPTIME_SITE_URL: 'http://uptime.test', UPTIME_API_KEY: 'uptime_0', UPTIME_CONFIG_DIR: cwd };
  const { context } = recordedContext({ cwd, env, fetch });
  const uptime = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch });
  const server = createServer({ client: uptime, settings: {}, turns: inTurn(), allowWrites: true }, context);
  const [near, far] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
});
afterAll(async () => {
  await client.close();
  await rm(cwd, { recursive: true });
});

async function call(name: string, args: object = {}): Promise<Called> {
  requests = [];
  const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
  const [{ text }] = content as [{ text: string }];
  return { isError: isError === true, text, json: (isError ? {} : JSON.parse(text)) as Called['json'] };
}

describe('the rows of a list', () => {
  test.each<[string, Row, unknown[]]>([
    ['are all rows without a filter', { resource: 'monitors' }, ['mon_1', 'mon_2']],
    ['match a text in their name, ignoring capitals', { resource: 'monitors', search: 'SHO' }, ['mon_1']],
    ['match a text in their key', { resource: 'channels', search: 'ops' }, ['chn_1']],
    ['match a text in their title', { resource: 'incidents', search: 'mov' }, ['inc_2']],
    ['match a text in the name of their monitor', { resource: 'deliveries', search: 'shop' }, ['dlv_1']],
    ['match a text in the name of their rule', { resource: 'alerts', search: 'down' }, ['alr_1']],
    ['match a text in the name of their channel', { resource: 'alerts', search: 'ops' }, ['alr_1']],
    ['do not match a text in another field', { resource: 'monitors', search: 'https' }, []],
    ['match a status', { resource: 'monitors', status: 'up' }, ['mon_2']],
    ['must match both a status and a text', { resource: 'monitors', status: 'up', search: 'shop' }, []],
    ['do not match a part of a status', { resource: 'monitors', status: 'dow' }, []],
  ])('the rows of a list %s', async (_, args, ids) => {
    const { json } = await call('list', args);
    expect({ ids: (json.data as Row[]).map(({ id }) => id), total: json.total, shown: json.shown }).toEqual({
      ids,
      total: ids.length,
      shown: ids.length,
    });
  });

  test('the rows of a list are limited to the given number, and the answer also contains the number of all rows', async () => {
    const { json } = await call('list', { resource: 'incidents', limit: 1 });
    expect(json).toMatchObject({ total: 2, shown: 1, data: [{ id: 'inc_1' }] });
  });

  test('the rows of a list of alerts can be limited to a range of days', async () => {
    await call('list', { resource: 'alerts', from: '2030-01-01', to: '2030-01-31' });
    expect(requests).toEqual([['GET', '/api/alert-history?limit=1000&from=2030-01-01&to=2030-01-31']]);
  });

  test.each(['monitors', 'channels', 'rules', 'deliveries', 'incidents', 'pages', 'regions', 'usage'])(
    'the rows of a list of %s cannot be limited to a range of days, and the tool returns an error without a request',
    async (resource) => {
      const refused = { isError: true, text: `\`from\` and \`to\` are not allowed for ${resource}\nleave them out` };
      expect(await call('list', { resource, from: '2030-01-01' })).toMatchObject(refused);
      expect(await call('list', { resource, to: '2030-01-01' })).toMatchObject(refused);
      expect(requests).toEqual([]);
    },
  );
});

test.each([
  ['list', { resource: 'monitors', limit: 0 }],
  ['list', { resource: 'monitors', limit: 201 }],
  ['list', { resource: 'monitors', limit: 1.5 }],
  ['list', { resource: 'monitors', search: '' }],
  ['list', { resource: 'monitors', search: 'x'.repeat(401) }],
  ['list', { resource: 'alerts', from: '2030-02-30' }],
  ['list', {}],
  ['get', { resource: 'regions', name: 'eu' }],
  ['get', { resource: 'monitors' }],
  ['explain', { monitor: '' }],
  ['history', { monitor: 'shop', of: 'everything' }],
  ['plan', { files: [] }],
  ['plan', { files: Array(51).fill('m.yaml') }],
  ['create_monitor', { fields: { type: 'heartbeat' } }],
  ['update_monitor', { fields: {} }],
  ['delete_monitor', { name: 'shop', fields: {} }],
])('the tool %s refuses the arguments %j before it sends a request', async (name, args) => {
  expect(await call(name, args)).toMatchObject({ isError: true, text: expect.stringContaining('Invalid arguments') });
  expect(requests).toEqual([]);
});

describe('a single resource', () => {
  test.each([
    ['monitors', 'shop', 'mon_1'],
    ['monitors', 'Job', 'mon_2'],
    ['channels', 'ops', 'chn_1'],
    ['rules', 'Down', 'rul_1'],
    ['alerts', 'alr_1', 'alr_1'],
    ['alerts', 'shop', 'alr_1'],
    ['incidents', 'Slow', 'inc_1'],
    ['pages', 'status', 'pag_1'],
  ])('a single resource of the kind %s is found by the word %s', async (resource, name, id) => {
    expect((await call('get', { resource, name })).json.data).toMatchObject({ id });
  });

  test('a single resource that does not exist leads to an error with the most similar name', async () => {
    expect(await call('get', { resource: 'channels', name: 'opz' })).toMatchObject({
      isError: true,
      text: 'no channel has the id, key or name "opz"\ndid you mean "ops"?',
    });
  });

  test('a single resource is shown without its ping address and the values of secret headers', async () => {
    answers['/api/monitors/mon_1'] = { ...(answers['/api/monitors/mon_1'] as Row), headers: { authorization: 'hush' } };
    const texts = [
      await call('get', { resource: 'monitors', name: 'mon_1' }),
      await call('explain', { monitor: 'mon_2' }),
    ];
    expect(texts[0]!.text).toContain('"authorization"');
    for (const { text } of texts) expect(text).not.toMatch(/hush|abcdefghijklmnopqrstuv/);
  });
});

describe('the history of a monitor', () => {
  const range = { from: '2030-01-01', to: '2030-01-31' };
  test.each([
    ['changes', 'events?limit=1000&'],
    ['days', 'daily-uptime?'],
    ['checks', 'response-times?limit=1000&'],
    ['pings', 'heartbeat-metrics?limit=1000&'],
  ])('the history of the kind %s is read for a range of days', async (of, path) => {
    const { json } = await call('history', { monitor: 'mon_1', of, ...range });
    expect(requests.at(-1)).toEqual(['GET', `/api/monitors/mon_1/${path}from=2030-01-01&to=2030-01-31`]);
    expect(json).toMatchObject({
      total: 1,
      shown: 1,
      data: cannedAnswers[`/api/monitors/mon_1/${path.split('?')[0]}`],
    });
  });

  test('the history of a monitor begins with the newest row, and has at most the given number of rows', async () => {
    const events = ['1', '2', '3'].map((day) => ({ timestamp: `2030-01-0${day}T00:00:00Z`, from: 'up', to: 'down' }));
    answers['/api/monitors/mon_2/events'] = events;
    const { json } = await call('history', { monitor: 'mon_2', limit: 2 });
    expect(json).toMatchObject({ total: 3, shown: 2, data: [events[2], events[1]] });
  });

  test('the history of the kind stats cannot be limited to a range of days', async () => {
    expect((await call('history', { monitor: 'mon_1', of: 'stats' })).json.data).toMatchObject([{ uptime30d: 50 }]);
    expect(await call('history', { monitor: 'mon_1', of: 'stats', ...range })).toMatchObject({
      isError: true,
      text: expect.stringContaining('`from` and `to` are not allowed for stats'),
    });
  });
});

test('the plan tool returns the changes for an environment, and with `prune` also the deletions', async () => {
  const item = 'monitors:\n  - { key: shop, name: Shop, type: http, url: https://shop.example/ }\n';
  await writeFile(join(cwd, 'shop.yaml'), `${item}overrides: { live: { monitors: { shop: { interval: 30 } } } }\n`);
  const changesOf = async (args: object) => {
    const { json } = await call('plan', { files: ['shop.yaml'], ...args });
    return (json.data as { changes: Row[] }).changes.map(
      ({ action, key, name }) => `${String(action)} ${String(key ?? name)}`,
    );
  };
  expect(await changesOf({ environment: 'live' })).toEqual(['update shop']);
  expect(await changesOf({ environment: 'live', prune: true })).toEqual(['update shop', 'delete Job']);
  const { text } = await call('plan', { files: ['shop.yaml'], environment: 'live' });
  expect(text).toContain('{"path":"interval","from":60,"to":30,"secret":false}');
});

test.each([
  ['delete_monitor', 'shop'],
  ['delete_alert_rule', 'down'],
  ['test_channel', 'ops'],
])('the tool %s answers that it is done, because the answer of the server is empty', async (tool, name) => {
  expect(await call(tool, { name })).toMatchObject({ isError: false, json: { data: { done: true } } });
});

test('the tool check_monitor answers with the whole result of the check', async () => {
  const result = { status: 'down', checkedAt: '2030-01-01T00:00:00.000Z', region: 'default', responseTime: null };
  const detail = { statusCode: null, error: { code: 'timeout', message: 'slow' }, timings: null, trace: [] };
  answers['/api/monitors/mon_1/check'] = { ...result, ...detail };
  expect((await call('check_monitor', { name: 'shop' })).json.data).toEqual({ ...result, ...detail });
});

describe('a change', () => {
  test.each<[string, Row, [string, string, unknown?]]>([
    ['update_monitor', { name: 'shop', fields: { paused: true } }, ['PATCH', '/api/monitors/mon_1', { paused: true }]],
    ['check_monitor', { name: 'Shop' }, ['POST', '/api/monitors/mon_1/check']],
    [
      'update_channel',
      { name: 'ops', fields: { name: 'O' } },
      ['PATCH', '/api/notification-channels/chn_1', { name: 'O' }],
    ],
    ['test_channel', { name: 'Ops' }, ['POST', '/api/notification-channels/chn_1/test']],
    ['delete_channel', { name: 'ops' }, ['DELETE', '/api/notification-channels/chn_1']],
    [
      'update_alert_rule',
      { name: 'down', fields: { enabled: false } },
      ['PATCH', '/api/alert-rules/rul_1', { enabled: false }],
    ],
    ['delete_alert_rule', { name: 'Down' }, ['DELETE', '/api/alert-rules/rul_1']],
    ['redeliver', { name: 'dlv_1' }, ['POST', '/api/deliveries/dlv_1/redeliver']],
    ['delete_incident', { name: 'Slow' }, ['DELETE', '/api/incidents/inc_1']],
    [
      'update_status_page',
      { name: 'status', fields: { name: 'S' } },
      ['PATCH', '/api/status-pages/pag_1', { name: 'S' }],
    ],
    ['delete_status_page', { name: 'Status' }, ['DELETE', '/api/status-pages/pag_1']],
    ['verify_domain', { name: 'status' }, ['POST', '/api/status-pages/pag_1/verify-domain']],
  ])(
    'a change with the tool %s and the arguments %j looks up the name, and then sends one request',
    async (name, args, request) => {
      expect(await call(name, args)).toMatchObject({ isError: false });
      expect(requests.filter(([method]) => method !== 'GET')).toEqual([request]);
    },
  );
});
