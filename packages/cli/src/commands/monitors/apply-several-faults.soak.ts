import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applySeveralUnderFaults } from '../../testing/apply-several-under-faults.ts';
import { type Fault, faults } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

const cases = Object.keys(faults).flatMap((fault) =>
  [true, false].map((lasting) => [fault as Fault, lasting] as const),
);

describe.concurrent('an apply of several kinds of objects', () => {
  test.each(cases)(
    'after an apply in which one request has the fault %s (all later requests too: %s), the next apply makes all remaining changes',
    { timeout: 120_000 },
    (fault, lasting) => applySeveralUnderFaults(daemon, { fault, lasting, meets: () => true }),
  );
});
