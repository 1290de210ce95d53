import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applySeveralUnderFaults } from '../../testing/apply-several-under-faults.ts';
import type { Fault } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

// Most of these faults are lasting, because a retry overcomes most single faults. To save time, each case tries its
// fault only at requests with odd numbers, or only at those with even numbers. The soak test tries every fault at every
// request.
const cases: [Fault, lasting: boolean, firstAt: number][] = [
  ['cut-before', true, 1],
  ['cut-after', true, 2],
  ['cut-after', false, 1],
  ['answer-429', true, 2],
  ['answer-500', true, 1],
];

describe.concurrent('an apply of several kinds of objects', () => {
  test.each(cases)(
    'after an apply in which one request has the fault %s (all later requests too: %s), the next apply makes all remaining changes',
    (fault, lasting, firstAt) =>
      applySeveralUnderFaults(daemon, { fault, lasting, meets: (at) => at % 2 === firstAt % 2 }),
  );
});
