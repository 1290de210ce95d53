import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applyUnderFaults } from '../../testing/apply-under-faults.ts';
import { type Fault, faults } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** At least as many changes of each kind as run at once. So each kind has a first and a last change. */
const changes = { created: 3, updated: 2, deleted: 2, concurrency: 2 };

// Each request meets a fault: an odd request a lasting fault, an even one a single fault. The soak test tries both
// faults at each request.
const isOdd = (at: number) => at % 2 === 1;
const isEven = (at: number) => !isOdd(at);

describe.concurrent.each(Object.entries(faults) as [Fault, string][])('%s: with a request that is %s', (fault) => {
  test.each([false, true])(
    'applying again reaches the wanted state, whichever request meets the fault (and all later ones too: %s)',
    { timeout: 120_000 },
    (lasting) => applyUnderFaults(daemon, { fault, lasting, changes, meets: lasting ? isOdd : isEven }),
  );
});
