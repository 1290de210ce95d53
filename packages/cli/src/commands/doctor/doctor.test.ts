import { expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';

test('only a key or an account that is refused ends in 4: a server that fails is another matter', async () => {
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
