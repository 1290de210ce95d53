import { expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';

test('doctor exits with 4 if the server refuses the key or the session, and with 1 if the server fails', async () => {
  await using session = await openSession();
  const answering = (status: number) => async (input: RequestInfo | URL, init?: RequestInit) =>
    new Request(input, init).url.endsWith('/healthz')
      ? session.server.fetch(input, init)
      : new Response('{}', { status, headers: { 'retry-after': '0' } });
  expect(await session.uptime(['doctor'], { fetch: answering(401) })).toMatchObject({ exit: 4 });
  const failing = await session.uptime(['doctor', '--json'], { fetch: answering(500) });
  expect(failing.exit).toBe(1);
  expect(JSON.parse(failing.stdout)).toContainEqual({
    what: 'key',
    state: 'failed',
    says: expect.stringContaining('500'),
    next: expect.stringContaining('uptime'),
  });
});

test('doctor sends the key with its health request; if the answer has no details, doctor shows only whether the server is healthy', async () => {
  await using session = await openSession();
  const keys: (string | null)[] = [];
  const answering = (body: unknown, status: number) => async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/healthz')) return session.server.fetch(input, init);
    keys.push(request.headers.get('x-api-key'));
    return Response.json(body, { status });
  };
  const warned = { status: 'ok', version: 'fake', reason: null, warnings: ['The loop "expiries" hangs.'] };
  const operator = await session.uptime(['doctor'], { fetch: answering(warned, 200) });
  expect(operator.stdout).toContain('The loop "expiries" hangs.');
  const stranger = await session.uptime(['doctor'], { fetch: answering({ status: 'ok', version: 'fake' }, 200) });
  expect(stranger).toMatchObject({ exit: 0, stdout: expect.stringContaining('answers, and can write') });
  const ill = { status: 503, code: 'unavailable', detail: 'It cannot serve.', version: 'fake' };
  const unavailable = await session.uptime(['doctor'], { fetch: answering(ill, 503) });
  expect(unavailable).toMatchObject({ exit: 1, stdout: expect.stringContaining('only its operator can see why') });
  expect(new Set(keys)).toEqual(new Set([session.server.apiKey]));
});
