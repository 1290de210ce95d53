import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applyUnderFaults } from '../../testing/apply-under-faults.ts';
import { type Fault, faults } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/**
 * The number of changes of each kind. `concurrency` is the number of requests that run at once. Each number of changes
 * is at least `concurrency`, so that all requests that run at once can be of one kind.
 */
const changes = { created: 3, updated: 2, deleted: 2, concurrency: 2 };

// To save time, a lasting fault begins only at requests with odd numbers, and a single fault occurs only at requests
// with even numbers. The soak test tries both at every request.
const isOdd = (at: number) => at % 2 === 1;
const isEven = (at: number) => !isOdd(at);

describe.concurrent.each(Object.entries(faults) as [Fault, string][])(
  'an apply with the fault %s (a request %s)',
  (fault) => {
    test.each([
      { where: 'in any one request', lasting: false },
      { where: 'in any one request and all later requests', lasting: true },
    ])('after a fault $where, the next apply reaches the wanted state', ({ lasting }) =>
      applyUnderFaults(daemon, { fault, lasting, changes, meets: lasting ? isOdd : isEven }),
    );
  },
);
