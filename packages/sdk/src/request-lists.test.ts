import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, ServerError } from './index.ts';
import { closers, serve, json, problem, failure } from './testing/served-answers.ts';

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

describe('lists', () => {
  test('iterate takes only the query from the Link header, and sends it to the server of the client', async () => {
    const { client, seen } = await serve(
      json(200, [1, 2], { link: '<https://elsewhere.example/api/monitors?limit=2&cursor=b>; rel="next"' }),
      json(200, [3, 4], { link: '</api/monitors?cursor=a>; rel="prev", </api/monitors?limit=2&cursor=c>; rel=next' }),
      json(200, [5]),
    );
    const all: unknown[] = [];
    for await (const item of client().monitors.iterate({ limit: 2 })) all.push(item);
    expect(all).toEqual([1, 2, 3, 4, 5]);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /api/monitors?limit=2',
      'GET /api/monitors?limit=2&cursor=b',
      'GET /api/monitors?limit=2&cursor=c',
    ]);
  });

  test('an answer that is not a list ends the iteration with an error', async () => {
    const { client } = await serve(json(200, { items: [] }));
    const error = await failure(client().monitors.iterate().next());
    expect(error).toMatchObject({ constructor: ApiError, code: 'unexpected_answer', status: 200 });
    expect((error as Error).message).toContain('but a list was expected');
  });

  test('iterate ends if an answer has no Link header, or if the header names the current page', async () => {
    const { client, seen } = await serve(json(200, [1]), json(200, [2], { link: '<?limit=100>; rel="next"' }));
    for (const expected of [1, 2]) {
      const all: unknown[] = [];
      for await (const item of client().incidents.iterate()) all.push(item);
      expect(all).toEqual([expected]);
    }
    expect(seen.length).toBe(2);
  });
});

describe('health', () => {
  test('health() returns the 503 of an unhealthy server with its reason, and throws for the 503 of a proxy', async () => {
    const sick = { version: '1', reason: 'disk full', roles: ['api'], warnings: [] };
    const { client, seen } = await serve(
      json(503, { ...sick, status: 503, code: 'unavailable' }),
      problem(503, 'unavailable'),
    );
    expect(await client().health()).toEqual({ ...sick, status: 'unavailable' });
    expect(seen[0]!.line).toBe('GET /healthz');
    expect(await failure(client({ retries: 0 }).health())).toBeInstanceOf(ServerError);
  });

  test('health() sends the credential of the client, if there is one, and accepts an answer without details', async () => {
    const { client, seen } = await serve(
      json(200, { status: 'ok', version: '1' }),
      json(200, { status: 'ok', version: '1' }),
      json(503, { status: 503, code: 'unavailable', detail: 'It cannot serve.', version: '1' }),
      json(200, { status: 'ok', version: '1' }),
    );
    expect(await client().health()).toEqual({ status: 'ok', version: '1' });
    expect(await client({ apiKey: null }).health()).toEqual({ status: 'ok', version: '1' });
    expect(await client({ apiKey: null }).health()).toEqual({ status: 'unavailable', version: '1' });
    expect(seen.map(({ headers }) => headers['x-api-key'])).toEqual(['uptime_secret', undefined, undefined]);
    await client({ apiKey: null, session: 'sid=1' }).health();
    expect(seen.at(-1)!.headers.cookie).toBe('sid=1');
  });

  test('health() returns an answer with missing or additional fields unchanged', async () => {
    const more = { status: 'ok', version: '9', reason: null, warnings: [], regions: ['eu'] };
    const { client } = await serve(json(200, { status: 'ok' }), json(200, more), json(200, null));
    const uptime = client();
    expect(await uptime.health()).toEqual({ status: 'ok' });
    expect(await uptime.health()).toEqual(more);
    expect(await failure(uptime.health())).toMatchObject({ constructor: ApiError, code: 'unexpected_answer' });
  });
});
