import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedContext } from '../../testing/recorded-context.ts';
import { explainStatus } from './explain-status.ts';
import { printPages } from './print-answer.ts';
import { readBody } from './request-body.ts';
import { nearPaths } from './request-target.ts';
import type { RawAnswer } from './send-request.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'uptime-api-'));
  await writeFile(join(cwd, 'body.json'), '{"a": 1}\n');
  await writeFile(join(cwd, 'text.json'), 'hello\u001b[2J');
  await writeFile(join(cwd, 'large.json'), '');
  await truncate(join(cwd, 'large.json'), 1_048_577);
});
afterAll(() => rm(cwd, { recursive: true }));

const body = (method: string, fields: string[], input?: string, stdin = '') =>
  readBody({ method, fields, input }, recordedContext({ cwd, stdin }).context);

describe('the content of a request', () => {
  test.each<[string, string, string[], object]>([
    [
      'of GET becomes query parameters, as typed',
      'GET',
      ['limit=5', 'name=a b', 'limit=6'],
      {
        query: [
          ['limit', '5'],
          ['name', 'a b'],
          ['limit', '6'],
        ],
        body: undefined,
      },
    ],
    ['of DELETE becomes query parameters too', 'DELETE', ['a=1'], { query: [['a', '1']], body: undefined }],
    [
      'of POST is JSON',
      'POST',
      ['a=1', 'b=x', 'c=true', 'd=null', 'e=', 'f=1.50'],
      { query: [], body: '{"a":1,"b":"x","c":true,"d":null,"e":"","f":1.5}' },
    ],
    ['of POST without fields is empty', 'POST', [], { query: [], body: undefined }],
    [
      'keeps a quoted number, and what only begins like a number, as text',
      'PATCH',
      ['a="1"', 'b=01', 'c=-x'],
      { query: [], body: '{"a":"1","b":"01","c":"-x"}' },
    ],
    ['has the last value of a repeated name', 'PATCH', ['a=1', 'a=2'], { query: [], body: '{"a":2}' }],
    ['keeps what follows the first equals sign', 'POST', ['a=b=c'], { query: [], body: '{"a":"b=c"}' }],
    ['may nest deeply', 'POST', ['a[b][c][]=1', 'a[b][c][]=2'], { query: [], body: '{"a":{"b":{"c":[1,2]}}}' }],
  ])('%s', async (_, method, fields, expected) => {
    expect(await body(method, fields)).toEqual(expected);
  });

  test('comes from a file, or from standard input', async () => {
    expect(await body('POST', [], 'body.json')).toEqual({ query: [], body: '{"a": 1}\n' });
    expect(await body('POST', [], '-', '[1]\n')).toEqual({ query: [], body: '[1]' });
  });

  test.each<[string, string[], string, string]>([
    ['fields together with a file', ['a=1'], 'body.json', '--field and --input exclude each other'],
    ['a missing file', [], 'none.json', 'none.json cannot be read: ENOENT'],
    ['a folder', [], '.', '. cannot be read: EISDIR'],
    ['a file that is not JSON', [], 'text.json', 'text.json is not JSON: '],
    ['a large file', [], 'large.json', 'large.json is larger than the API accepts (1 MiB)'],
    ['an empty standard input', [], '-', 'standard input is not JSON: '],
  ])('refuses %s', async (_, fields, input, message) => {
    const refused = body('POST', fields, input);
    await expect(refused).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining(message) });
    // eslint-disable-next-line no-control-regex
    await expect(refused).rejects.not.toThrow(/\u001b/);
  });
});

describe('a path that the server does not have', () => {
  test.each<[string, string, string | null]>([
    ['GET', '/monitors', null],
    ['GET', '/api/monitors?limit=5', null],
    ['PUT', '/monitors', '/monitors takes GET, POST'],
    ['POST', '/monitors/mon_1', '/monitors/mon_1 takes GET, PATCH, DELETE'],
    ['GET', '/monitor', 'did you mean /monitors?'],
    ['GET', '/monitors/mon_1/stat', 'did you mean /monitors/mon_1/stats?'],
    ['GET', '/status-page', 'did you mean /status-pages?'],
    ['GET', '/zzzzzzzz', '`uptime api GET /openapi.json` lists every path'],
    ['GET', '/', '`uptime api GET /openapi.json` lists every path'],
  ])('%s %s leads to %s', (method, path, advice) => {
    expect(nearPaths(method, path)).toBe(advice);
  });
});

const answer = (status: number, text: string, headers: Record<string, string> = {}): RawAnswer => ({
  status,
  statusText: 'Oh',
  headers: new Headers(headers),
  text,
});

describe('an answer that is not a success', () => {
  const explained = (given: RawAnswer) => explainStatus(given, { method: 'GET', path: '/monitors', exit: 'failed' });
  test.each<[string, RawAnswer, string, string | undefined]>([
    [
      'shows the sentence of the server',
      answer(400, '{"detail":"Bad \\u001b[2J.","title":"x"}'),
      'HTTP 400: Bad .',
      undefined,
    ],
    ['without a sentence shows its title', answer(400, '{"title":"Bad."}'), 'HTTP 400: Bad.', undefined],
    ['of a proxy shows its status', answer(502, '<html>'), 'HTTP 502: Oh', undefined],
    ['with other JSON shows its status', answer(500, '{"detail":{"a":1}}'), 'HTTP 500: Oh', undefined],
    ['of null shows its status', answer(500, 'null'), 'HTTP 500: Oh', undefined],
    ['without any words says so', { ...answer(500, ''), statusText: '' }, 'HTTP 500: no reason given', undefined],
    [
      'that refuses the key leads to the login',
      answer(401, ''),
      'HTTP 401: Oh',
      'type `uptime login`, or set UPTIME_API_KEY',
    ],
    [
      'that asks to wait says how long',
      answer(429, '', { 'retry-after': '7' }),
      'HTTP 429: Oh',
      'the server asks to wait 7 s',
    ],
    [
      'that redirects names the other address',
      answer(307, '', { location: 'https://b.example/' }),
      'the server redirects to https://b.example/, which is not followed',
      'check --site-url',
    ],
    [
      'that redirects nowhere says so',
      answer(304, ''),
      'the server redirects to elsewhere, which is not followed',
      'check --site-url',
    ],
  ])('%s', (_, given, message, next) => {
    expect(explained(given)).toMatchObject({ message, exit: 'failed' });
    expect(explained(given).next).toBe(next);
  });
});

describe('the pages of a list', () => {
  /** Prints pages, each with its Link header. */
  const print = async (...pages: [text: string, link?: string, status?: number][]) => {
    const { context, output } = recordedContext();
    const requests: string[] = [];
    const last = await printPages(
      new URL('http://uptime.test/api/monitors'),
      async (url) => {
        const [text, link, status = 200] = pages[requests.push(url.href) - 1] ?? ['[]'];
        return answer(status, text, link === undefined ? {} : { link });
      },
      context.io,
    );
    return { requests, stdout: output.stdout, last: last?.status ?? null };
  };
  const first = 'http://uptime.test/api/monitors?limit=1000';

  test.each<[string, string | undefined, string | null]>([
    ['end without a link', undefined, null],
    [
      'follow the link',
      '<http://uptime.test/api/monitors?cursor=b>; rel="next"',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    [
      'follow a link among others',
      '<?a=1>; rel="prev", <?cursor=b>; rel=next',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    [
      'stay on the host, whatever the link says',
      '<https://elsewhere.example/x?cursor=b>; rel="next"',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    ['end at a link to themselves', '<?limit=1000>; rel="next"', null],
    ['end at a link without a query', '<http://uptime.test/api/monitors>; rel="next"', null],
    ['end at a link that cannot be read', 'next', null],
  ])('%s', async (_, link, next) => {
    const { requests, stdout } = await print(['[1]', link], ['[2]']);
    expect(requests).toEqual(next === null ? [first] : [first, next]);
    expect(JSON.parse(stdout)).toEqual(next === null ? [1] : [1, 2]);
  });

  test('are an empty list if the only page is empty', async () => {
    expect(await print(['[]'])).toMatchObject({ stdout: '[]\n', last: null });
  });

  test('end with the first answer that is not a list', async () => {
    expect(await print(['[1]', '<?cursor=b>; rel="next"'], ['{"detail":"Gone."}', undefined, 410])).toEqual({
      requests: [first, 'http://uptime.test/api/monitors?cursor=b'],
      stdout: '[\n1\n',
      last: 410,
    });
    expect(await print(['{}'])).toMatchObject({ stdout: '', last: 200 });
  });
});
