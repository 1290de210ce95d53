import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../faults/until.ts';
import { networkFaults } from './faults.ts';
import { tryFault } from './try-fault.ts';
import { createWorld, type World } from './world.ts';

const [interval, timeout] = [1, 1];
/** The soak test demands 4 s. This bound is longer, because in this test the machine may stall for some seconds. */
const boundMs = 12_000;

describe.each([
  { withBridge: true, where: 'beside a container bridge with an address' },
  { withBridge: false, where: 'with one interface' },
])('a checker $where marks no monitor down, reports the fault, and hides no outage when', ({ withBridge }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ withBridge, interval, timeout });
    await until(
      'all monitors are up',
      10_000,
      () => world.transitions.filter(({ to }) => to === 'up').length >= world.monitors,
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(networkFaults)('$name', async (fault) => {
    const outcome = await tryFault(world, fault, { boundMs, lastsMs: 3000 });
    expect(outcome).toMatchObject({ falseAlarms: [], reported: true });
  });
});
