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
 * The number of changes of each kind. It is at least the concurrency, so that each kind has a first and a last change.
 */
const changes = { created: 3, updated: 2, deleted: 2, concurrency: 2 };

// Each odd request meets a lasting fault, and each even request a single fault. The soak test tries both at each
// request.
const isOdd = (at: number) => at % 2 === 1;
const isEven = (at: number) => !isOdd(at);

describe.concurrent.each(Object.entries(faults) as [Fault, string][])('with the fault %s (a request %s)', (fault) => {
  test.each([false, true])(
    'the next apply reaches the wanted state, whichever request has the fault (all later requests have it too: %s)',
    { timeout: 120_000 },
    (lasting) => applyUnderFaults(daemon, { fault, lasting, changes, meets: lasting ? isOdd : isEven }),
  );
});
