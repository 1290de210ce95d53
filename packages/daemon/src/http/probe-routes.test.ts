import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { defaultWorld } from '../testing/test-world.ts';
import { createCallBudget } from './probe-routes-limits.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

const newToken = async (region: string) => {
  const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
  return (body as { token: string }).token;
};

test('a probe that sends its backlog too fast has to wait only a second, and its syncs and other probes are not refused', async () => {
  const token = await newToken('eu');
  const [busy, other] = [createFakeProbe(daemon, token), createFakeProbe(daemon, token)];
  await busy.sync();
  await other.sync();
  // Each node counts for itself. Each node gets 1,500 batches, more than the 1,200 syncs that a token may send in a
  // minute. So the last lines of this test show that batches do not count as syncs.
  const maxBatches = 1500 * defaultWorld().nodes;
  let refused = 0;
  let wait: string | null = null;
  for (let sent = 0; sent < maxBatches; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => busy.post('results', { nonsense: true })));
    for (const { status } of answers) if (status === 429) refused++;
  }
  // Bodies without the name of a probe count only for the token. The token allows 3,000 batches at once on each node.
  expect(refused).toBe(0);
  for (let sent = 0; sent < maxBatches && wait === null; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => busy.send([])));
    wait = answers.find(({ status }) => status === 429)?.headers.get('retry-after') ?? null;
  }
  expect(wait).toBe('1');
  expect((await busy.sync()).status).toBe(200);
  expect((await other.sync()).status).toBe(200);
  expect((await other.send([])).status).toBe(200);
});

test('a call budget refills gradually, and its refusal says how long the caller has to wait', () => {
  let now = 0;
  const count = createCallBudget({ monotonicMs: () => now }, { maxAtOnce: 3, maxPerSecond: 2 });
  const refusal = expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }) as unknown;
  for (let call = 0; call < 3; call++) count('a');
  expect(() => count('a')).toThrow(refusal);
  count('b');
  now = 500;
  count('a');
  expect(() => count('a')).toThrow(refusal);
  now = 60_000;
  for (let call = 0; call < 3; call++) count('a');
  expect(() => count('a')).toThrow(refusal);
});
