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
      'becomes query parameters, exactly as typed, for GET',
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
    ['becomes query parameters for DELETE', 'DELETE', ['a=1'], { query: [['a', '1']], body: undefined }],
    [
      'becomes a JSON body for POST',
      'POST',
      ['a=1', 'b=x', 'c=true', 'd=null', 'e=', 'f=1.50'],
      { query: [], body: '{"a":1,"b":"x","c":true,"d":null,"e":"","f":1.5}' },
    ],
    ['is empty for POST without fields', 'POST', [], { query: [], body: undefined }],
    [
      'contains a quoted number as text, and also a text that only begins like a number',
      'PATCH',
      ['a="1"', 'b=01', 'c=-x'],
      { query: [], body: '{"a":"1","b":"01","c":"-x"}' },
    ],
    [
      'contains only the last value of a name that is given twice',
      'PATCH',
      ['a=1', 'a=2'],
      { query: [], body: '{"a":2}' },
    ],
    [
      'contains everything after the first equals sign as the value',
      'POST',
      ['a=b=c'],
      { query: [], body: '{"a":"b=c"}' },
    ],
    [
      'may contain deeply nested objects and lists',
      'POST',
      ['a[b][c][]=1', 'a[b][c][]=2'],
      { query: [], body: '{"a":{"b":{"c":[1,2]}}}' },
    ],
  ])('the content of a request %s', async (_, method, fields, expected) => {
    expect(await body(method, fields)).toEqual(expected);
  });

  test('the content of a request may come from a file or from standard input', async () => {
    expect(await body('POST', [], 'body.json')).toEqual({ query: [], body: '{"a": 1}\n' });
    expect(await body('POST', [], '-', '[1]\n')).toEqual({ query: [], body: '[1]' });
  });

  test.each<[string, string[], string, string]>([
    ['contains both fields and a file', ['a=1'], 'body.json', '--field and --input exclude each other'],
    ['comes from a missing file', [], 'none.json', 'none.json cannot be read: ENOENT'],
    ['comes from a folder', [], '.', '. cannot be read: EISDIR'],
    ['comes from a file that is not JSON', [], 'text.json', 'text.json is not JSON: '],
    ['comes from a file that is too large', [], 'large.json', 'large.json is larger than the API accepts (1 MiB)'],
    ['comes from an empty standard input', [], '-', 'standard input is not JSON: '],
  ])('the content of a request leads to an error if it %s', async (_, fields, input, message) => {
    const refused = body('POST', fields, input);
    await expect(refused).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining(message) });
    // eslint-disable-next-line no-control-regex
    await expect(refused).rejects.not.toThrow(/\u001b/);
  });
});

describe('advice about an unknown path', () => {
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
  ])('the advice for the request %s %s is %s', (method, path, advice) => {
    expect(nearPaths(method, path)).toBe(advice);
  });
});

const answer = (status: number, text: string, headers: Record<string, string> = {}): RawAnswer => ({
  status,
  statusText: 'Oh',
  headers: new Headers(headers),
  text,
});

describe('the error for an answer that is not a success', () => {
  const explained = (given: RawAnswer) => explainStatus(given, { method: 'GET', path: '/monitors', exit: 'failed' });
  test.each<[string, RawAnswer, string, string | undefined]>([
    [
      'shows the sentence of the answer',
      answer(400, '{"detail":"Bad \\u001b[2J.","title":"x"}'),
      'HTTP 400: Bad .',
      undefined,
    ],
    ['shows the title if the answer has no sentence', answer(400, '{"title":"Bad."}'), 'HTTP 400: Bad.', undefined],
    ['shows the status if a proxy answers with HTML', answer(502, '<html>'), 'HTTP 502: Oh', undefined],
    [
      'shows the status if the answer is JSON of another form',
      answer(500, '{"detail":{"a":1}}'),
      'HTTP 500: Oh',
      undefined,
    ],
    ['shows the status if the answer is null', answer(500, 'null'), 'HTTP 500: Oh', undefined],
    [
      'says that no reason was given if the answer has no text at all',
      { ...answer(500, ''), statusText: '' },
      'HTTP 500: no reason given',
      undefined,
    ],
    [
      'gives advice to log in if the server refuses the key',
      answer(401, ''),
      'HTTP 401: Oh',
      'type `uptime login`, or set UPTIME_API_KEY',
    ],
    [
      'says how long the server asks to wait',
      answer(429, '', { 'retry-after': '7' }),
      'HTTP 429: Oh',
      'the server asks to wait 7 s',
    ],
    [
      'names the address to which the server redirects',
      answer(307, '', { location: 'https://b.example/' }),
      'the server redirects to https://b.example/, which is not followed',
      'check --site-url',
    ],
    [
      'says that the server redirects elsewhere if the redirect has no address',
      answer(304, ''),
      'the server redirects to elsewhere, which is not followed',
      'check --site-url',
    ],
  ])('the error for an answer that is not a success %s', (_, given, message, next) => {
    expect(explained(given)).toMatchObject({ message, exit: 'failed' });
    expect(explained(given).next).toBe(next);
  });
});

describe('the pages of a list', () => {
  /** Prints a list from a server that returns these pages, each with its Link header. */
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
    ['end at a page without a link', undefined, null],
    [
      'continue at the linked page',
      '<http://uptime.test/api/monitors?cursor=b>; rel="next"',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    [
      'continue at the next page if the header has several links',
      '<?a=1>; rel="prev", <?cursor=b>; rel=next',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    [
      'are read only from the chosen host, even if the link names another host',
      '<https://elsewhere.example/x?cursor=b>; rel="next"',
      'http://uptime.test/api/monitors?cursor=b',
    ],
    ['end at a link to the same page', '<?limit=1000>; rel="next"', null],
    ['end at a link without a query', '<http://uptime.test/api/monitors>; rel="next"', null],
    ['end at a link that cannot be read', 'next', null],
  ])('the pages of a list %s', async (_, link, next) => {
    const { requests, stdout } = await print(['[1]', link], ['[2]']);
    expect(requests).toEqual(next === null ? [first] : [first, next]);
    expect(JSON.parse(stdout)).toEqual(next === null ? [1] : [1, 2]);
  });

  test('a list whose only page is empty is printed as an empty list', async () => {
    expect(await print(['[]'])).toMatchObject({ stdout: '[]\n', last: null });
  });

  test('the pages of a list end at the first answer that is not a list', async () => {
    expect(await print(['[1]', '<?cursor=b>; rel="next"'], ['{"detail":"Gone."}', undefined, 410])).toEqual({
      requests: [first, 'http://uptime.test/api/monitors?cursor=b'],
      stdout: '[\n1\n',
      last: 410,
    });
    expect(await print(['{}'])).toMatchObject({ stdout: '', last: 200 });
  });
});
