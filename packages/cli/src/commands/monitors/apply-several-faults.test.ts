import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applySeveralUnderFaults } from '../../testing/apply-several-under-faults.ts';
import type { Fault } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

// A lasting fault stops the apply. A retry overcomes most single faults. Each of these cases meets a fault at every
// second request. The soak test tries each fault at each request.
const cases: [Fault, lasting: boolean, firstAt: number][] = [
  ['cut-before', true, 1],
  ['cut-after', true, 2],
  ['cut-after', false, 1],
  ['answer-429', true, 2],
  ['answer-500', true, 1],
];

describe.concurrent('an apply of several kinds', () => {
  test.each(cases)(
    'is completed by the next apply, whichever request has the fault %s (all later requests have it too: %s)',
    { timeout: 120_000 },
    (fault, lasting, firstAt) =>
      applySeveralUnderFaults(daemon, { fault, lasting, meets: (at) => at % 2 === firstAt % 2 }),
  );
});
