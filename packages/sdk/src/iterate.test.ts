import { afterEach, describe, expect, test } from 'vitest';
import { AbortedError, BadRequestError, ServerError, UptimeError } from './index.ts';
import { closers, drop, failure, json, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const page = (entries: unknown[], cursor?: string) =>
  json(200, entries, cursor ? { link: `</api/monitors?limit=100&cursor=${cursor}>; rel="next"` } : {});
const all = async (entries: AsyncIterable<unknown>) => {
  const read: unknown[] = [];
  for await (const entry of entries) read.push(entry);
  return read;
};

describe('an iteration', () => {
  test('an iteration of an empty list has no entries', async () => {
    const { client, seen } = await serve(page([]));
    expect(await all(client().monitors.iterate())).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  test('an iteration continues after an empty page that has a next page', async () => {
    const { client, seen } = await serve(page([], 'b'), page([1]));
    expect(await all(client().monitors.iterate())).toEqual([1]);
    expect(seen).toHaveLength(2);
  });

  test('an iteration reads pages in order, each with the query from the Link header of the page before', async () => {
    const { client, seen } = await serve(page([1, 2], 'b'), page([3], 'c'), page([4, 5], 'd'), page([6]));
    expect(await all(client().monitors.iterate({ name: 'Shop' }))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /api/monitors?limit=100&name=Shop',
      'GET /api/monitors?limit=100&cursor=b',
      'GET /api/monitors?limit=100&cursor=c',
      'GET /api/monitors?limit=100&cursor=d',
    ]);
  });

  test('an iteration starts at the given cursor with the given page size', async () => {
    const { client, seen } = await serve(page([]));
    await all(client().monitors.iterate({ limit: 7, cursor: 'x y' }));
    expect(seen[0]!.line).toBe('GET /api/monitors?limit=7&cursor=x+y');
  });

  test('an iteration sends no request until the caller asks for the first entry', async () => {
    const { client, seen } = await serve(page([1]));
    const entries = client().monitors.iterate();
    expect(seen).toEqual([]);
    expect(await entries.next()).toEqual({ done: false, value: 1 });
    expect(await entries.next()).toEqual({ done: true, value: undefined });
  });

  test('an iteration requests no further page after the caller breaks out of the loop', async () => {
    const { client, seen } = await serve(page([1, 2], 'b'), page([3]));
    for await (const entry of client().monitors.iterate()) if (entry !== undefined) break;
    expect(seen).toHaveLength(1);
  });

  test('an iteration requests a page only after the caller has read the page before', async () => {
    const { client, seen } = await serve(page([1, 2], 'b'), page([3]));
    const entries = client().monitors.iterate();
    await entries.next();
    await entries.next();
    expect(seen).toHaveLength(1);
    await entries.next();
    expect(seen).toHaveLength(2);
  });

  test('an iteration retries a failed page, and yields no entry twice', async () => {
    const { client, seen } = await serve(page([1, 2], 'b'), drop, page([3]));
    expect(await all(client().monitors.iterate())).toEqual([1, 2, 3]);
    expect(seen).toHaveLength(3);
  });

  test('an iteration yields the entries of the pages before a failed page, and then throws the error of that page', async () => {
    const errors = [{ path: 'cursor', message: 'must be a cursor from the Link header of this list' }];
    const { client } = await serve(page([1], 'broken'), problem(400, 'invalid_request', { errors }));
    const entries = client().monitors.iterate();
    expect(await entries.next()).toMatchObject({ value: 1 });
    const error = await failure(entries.next());
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ errors });
    expect(await entries.next()).toEqual({ done: true, value: undefined });
  });

  test('an iteration uses the options of the call for each page', async () => {
    const { client, seen } = await serve(page([1], 'b'), problem(503, 'unavailable', {}, { 'retry-after': '0' }));
    const entries = client().monitors.iterate({}, { retries: 0, headers: { 'x-trace': 't' } });
    await entries.next();
    expect(await failure(entries.next())).toBeInstanceOf(ServerError);
    expect(seen.map(({ headers }) => headers['x-trace'])).toEqual(['t', 't']);
  });

  test('an iteration can be aborted between two pages', async () => {
    const controller = new AbortController();
    const { client, seen } = await serve(page([1], 'b'), page([2]));
    const entries = client().monitors.iterate({}, { signal: controller.signal });
    await entries.next();
    controller.abort();
    expect(await failure(entries.next())).toBeInstanceOf(AbortedError);
    expect(seen).toHaveLength(1);
  });

  test.each([[{ items: [] }], [null], ['text'], [5]])(
    'an iteration throws an error for the answer %j',
    async (answer) => {
      const { client } = await serve(json(200, answer));
      const error = await failure(all(client().monitors.iterate()));
      expect(error).toBeInstanceOf(UptimeError);
      expect((error as Error).message).toContain('but a list was expected');
    },
  );
});
