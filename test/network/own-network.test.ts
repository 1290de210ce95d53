import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkFaults } from './faults.ts';
import { tryFault } from './try-fault.ts';
import { createWorld, type World } from './world.ts';

const [interval, timeout] = [1, 1];
/** The soak test demands 4 s. This bound is longer, because in this test the machine may stall for a few seconds. */
const boundMs = 12_000;

describe.each([
  { checker: 'daemon', withBridge: true, where: 'beside a container bridge with an address' },
  { checker: 'daemon', withBridge: false, where: 'with one interface' },
  { checker: 'probe', withBridge: true, where: 'beside a container bridge with an address' },
] as const)('a $checker $where', { concurrent: true }, ({ checker, withBridge }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ checker, withBridge, interval, timeout });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(networkFaults)(
    'if $name, the fault is reported, no monitor is marked down for it, and no outage is hidden',
    { concurrent: false },
    async (fault) => {
      const outcome = await tryFault(world, fault, { boundMs, lastsMs: 3000 });
      expect(outcome).toMatchObject({ falseAlarms: [], storedFailures: [], reported: true });
    },
  );
});
