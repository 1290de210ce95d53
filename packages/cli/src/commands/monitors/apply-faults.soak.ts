import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { applyUnderFaults } from '../../testing/apply-under-faults.ts';
import { type Fault, faults } from '../../testing/fault-proxy.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

const changes = { created: 8, updated: 6, deleted: 6, concurrency: 8 };

describe.concurrent.each(Object.entries(faults) as [Fault, string][])(
  'an apply with the fault %s (a request %s)',
  (fault) => {
    test.each([
      { where: 'in any one request', lasting: false },
      { where: 'in any one request and all later requests', lasting: true },
    ])('after a fault $where, the next apply reaches the wanted state', { timeout: 120_000 }, ({ lasting }) =>
      applyUnderFaults(daemon, { fault, lasting, changes, meets: () => true }),
    );
  },
);
