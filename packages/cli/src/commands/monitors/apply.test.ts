import { expect, test } from 'vitest';
import { openSession, type Session } from '../../testing/session.ts';

const monitors = (count: number) =>
  `monitors:\n${Array.from({ length: count }, (_, i) => `  - { name: m${i}, type: ping, host: m${i}.example, paused: true }\n`).join('')}`;

const count = ({ server }: Session, request: string) => server.requests.filter((one) => one === request).length;

/** Creates a fetch that answers the n-th creation with an error. */
function refuseCreation(
  { server }: Session,
  nth: number,
  problem: { status: number; errors?: object[] },
): typeof fetch {
  let seen = 0;
  return (input, init) => {
    if (init?.method !== 'POST' || ++seen !== nth) return server.fetch(input, init);
    const body = { code: 'x', title: 'x', detail: 'It says no.', ...problem };
    const headers = { 'content-type': 'application/problem+json' };
    return Promise.resolve(new Response(JSON.stringify(body), { status: problem.status, headers }));
  };
}

test('apply fails if a list cannot be read, and never takes that list for empty', async () => {
  await using session = await openSession();
  await session.write('m.yaml', monitors(2));
  for (const status of [500, 501]) {
    session.server.failNext({ status });
    const { exit, stderr } = await session.uptime(['apply', '-f', 'm.yaml', '--yes']);
    expect(exit).toBe(1);
    expect(stderr).toContain(`HTTP ${status}`);
  }
  expect(count(session, 'POST /api/monitors')).toBe(0);
});

test('apply exits with 1 if it fails before any change, and with 3 after a change; the next apply continues', async () => {
  await using session = await openSession();
  await session.write('m.yaml', monitors(6));
  const words = ['apply', '-f', 'm.yaml', '--yes', '--concurrency', '1'];
  const first = await session.uptime(words, { fetch: refuseCreation(session, 1, { status: 409 }) });
  expect(first).toMatchObject({ exit: 1 });
  const second = await session.uptime(words, { fetch: refuseCreation(session, 4, { status: 409 }) });
  expect(second.exit).toBe(3);
  expect(second.stderr).toContain('m.yaml:5:5: create ping "m3": It says no. (HTTP 409)');
  expect(second.stderr).toContain('\n3 of 6 changes were made; 2 were not started.\n');
  expect(second.stderr).not.toContain('m5": ');
  expect(await session.uptime(words)).toMatchObject({ exit: 0 });
  const last = await session.uptime(words);
  expect(last).toMatchObject({ exit: 0, stdout: 'Nothing to do: 6 unchanged.\n' });
});

test('apply exits with 4 if the key may not write', async () => {
  await using session = await openSession();
  await session.write('m.yaml', monitors(1));
  const fetch = refuseCreation(session, 1, { status: 403 });
  expect(await session.uptime(['apply', '-f', 'm.yaml', '--yes'], { fetch })).toMatchObject({ exit: 4 });
});

test('a fault that the server reports is shown with its line in the manifest', async () => {
  await using session = await openSession();
  await session.write('m.yaml', 'monitors:\n  - name: Shop\n    type: http\n    url: http://10.0.0.1/\n');
  const errors = [{ path: 'url', message: 'must be a public address' }];
  const { exit, stderr } = await session.uptime(['apply', '-f', 'm.yaml', '--yes'], {
    fetch: refuseCreation(session, 1, { status: 400, errors }),
  });
  expect(exit).toBe(1);
  expect(stderr).toContain('m.yaml:4:10: create http "Shop": the server refused it: `url` must be a public address');
});

test('an interrupted apply starts no new change and exits with 130', async () => {
  await using session = await openSession();
  await session.write('m.yaml', monitors(5));
  const stop = new AbortController();
  let creations = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (init?.method === 'POST' && ++creations === 2) stop.abort();
    return session.server.fetch(input, { ...init, signal: null });
  };
  const ended = await session.uptime(['apply', '-f', 'm.yaml', '--yes', '--concurrency', '1'], {
    fetch,
    signal: stop.signal,
  });
  expect(ended.exit).toBe(130);
  expect(ended.stderr).toContain('2 of 5 changes were made');
  expect(count(session, 'POST /api/monitors')).toBe(2);
});

test('--prune deletes objects that the manifest lacks, and needs --allow-deletes to delete more than 30 % of ten monitors', async () => {
  await using session = await openSession();
  await session.write('all.yaml', monitors(10));
  await session.write('most.yaml', monitors(7));
  await session.write('few.yaml', monitors(3));
  expect(await session.uptime(['apply', '-f', 'all.yaml', '--yes'])).toMatchObject({ exit: 0 });
  const refused = await session.uptime(['apply', '-f', 'few.yaml', '--prune', '--yes']);
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.stderr).toContain('the plan deletes 7 of 10 monitors');
  expect(count(session, 'GET /api/monitors')).toBe(2);
  expect((await session.uptime(['apply', '-f', 'most.yaml', '--prune', '--yes'])).exit).toBe(0);
  await session.uptime(['apply', '-f', 'all.yaml', '--yes']);
  expect((await session.uptime(['apply', '-f', 'few.yaml', '--prune', '--allow-deletes', '--yes'])).exit).toBe(0);
  const { stdout } = await session.uptime(['monitors', 'list', '-q']);
  expect(stdout.trim().split('\n')).toHaveLength(3);
});

test('an apply of a thousand unchanged monitors sends at most ten requests', async () => {
  await using session = await openSession();
  await session.write('m.yaml', monitors(1000));
  expect((await session.uptime(['apply', '-f', 'm.yaml', '--yes'])).exit).toBe(0);
  session.server.requests.length = 0;
  expect((await session.uptime(['apply', '-f', 'm.yaml', '--yes'])).exit).toBe(0);
  expect(session.server.requests.length).toBeLessThanOrEqual(10);
});
