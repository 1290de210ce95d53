import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quickPing } from './quick.ts';

const token = 'abcdefghijklmnopqrstuv';
let site: string;
let status: number;
let headers: Record<string, string>;
let got: string[];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    got.push([request.method, request.url, body].join(' ').trim());
    response.writeHead(status, headers).end('{"ok":true}');
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  status = 200;
  headers = {};
  got = [];
});
afterAll(() => void server.close());

const builtin = (name: 'node:http' | 'node:https') => process.getBuiltinModule(name);
const quick = (...argv: string[]) => quickPing(argv, { UPTIME_SITE_URL: site, UPTIME_CONFIG_DIR: '/nowhere' }, builtin);

const recorded = { recorded: true, pingAfterMs: 0 };
const notSent = { recorded: false, pingAfterMs: 0 };

test.each([
  [[token], `GET /ping/${token}`],
  [[token, '--start'], `GET /ping/${token}/start`],
  [['--fail', token], `GET /ping/${token}/fail`],
  [[token, '--exit-code=07'], `GET /ping/${token}/7`],
  [[token, '-m', 'rows=12', '--metric=host=a=b'], `POST /ping/${token} {"rows":12,"host":"a=b"}`],
])('the quick ping sends %j as %s', async (argv, expected) => {
  expect(await quick(...argv)).toEqual(recorded);
  expect(got).toEqual([expected]);
});

test('the quick ping uses a whole ping address, whatever the settings say', async () => {
  expect(await quickPing([`${site}/ping/${token}/`, '--fail'], {}, builtin)).toEqual(recorded);
  expect(got).toEqual([`GET /ping/${token}/fail`]);
});

test.each([
  [],
  ['nightly'],
  [token, token],
  [token, '--start', '--fail'],
  [token, '--exit-code', '256'],
  [token, '-m', 'rows'],
  [token, '--verbose'],
  [token, '--help'],
  [token, '--metric'],
])('the quick ping sends nothing for the arguments %j, and leaves the ping to the full command', async (...argv) => {
  expect(await quick(...argv)).toEqual(notSent);
  expect(got).toEqual([]);
});

test.each([404, 503, 301])(
  'after an answer of %i, the quick ping leaves the ping to the full command',
  async (given) => {
    status = given;
    expect(await quick(token)).toEqual(notSent);
  },
);

test('if there is no server, the quick ping leaves the ping to the full command', async () => {
  expect(await quickPing([`http://127.0.0.1:1/ping/${token}`], {}, builtin)).toEqual(notSent);
});

test.each([429, 503])(
  'after an answer of %i with Retry-After, the quick ping returns how long the full command must wait',
  async (given) => {
    status = given;
    headers = { 'retry-after': '7' };
    expect(await quick(token)).toEqual({ recorded: false, pingAfterMs: 7000 });
    headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const { pingAfterMs } = await quick(token);
    expect(pingAfterMs).toBeGreaterThan(50_000);
    expect(pingAfterMs).toBeLessThanOrEqual(60_000);
  },
);
