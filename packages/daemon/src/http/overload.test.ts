import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let delayMs = 0;
let pingUrl: string;

beforeAll(async () => {
  daemon = await createTestDaemon({ loopDelayMs: () => delayMs, clock: createFakeClock() });
  const job = { type: 'heartbeat', name: 'backup', interval: 3600 };
  ({ pingUrl } = (await daemon.request('POST', '/api/monitors', job)).body as { pingUrl: string });
});
afterAll(() => daemon.close());

const read = () => daemon.request('GET', '/api/monitors');
const write = () => daemon.request('POST', '/api/monitors', { type: 'tcp', name: 't', host: 'h.example', port: 1 });
const refused = {
  status: 503,
  body: {
    code: 'unavailable',
    detail: 'The server has too much to do at the moment. Try again in a few seconds.',
  },
};

test.each([
  { at: 199, reads: 200, writes: 201 },
  { at: 200, reads: 503, writes: 201 },
  { at: 400, reads: 503, writes: 503 },
])('if the event loop is $at ms late, reads get $reads and writes get $writes', async ({ at, reads, writes }) => {
  delayMs = at;
  expect((await read()).status).toBe(reads);
  expect((await write()).status).toBe(writes);
});

test('a refusal says that the server is overloaded, and when to try again', async () => {
  delayMs = 10_000;
  for (const call of [read, write]) {
    const answer = await call();
    expect(answer).toMatchObject(refused);
    expect(answer.headers.get('retry-after')).toBe('2');
  }
});

test('an overloaded server still answers pings and the health endpoint, which reports the overload', async () => {
  delayMs = 10_000;
  expect((await fetch(pingUrl)).status).toBe(200);
  const health = await daemon.request('GET', '/healthz');
  expect(health.status).toBe(200);
  expect((health.body as { warnings: string[] }).warnings).toContainEqual(
    expect.stringContaining('its event loop is delayed by 10000 ms'),
  );
  delayMs = 0;
  const { body } = await read();
  expect((body as { name: string; status: string }[]).find(({ name }) => name === 'backup')?.status).toBe('up');
});
