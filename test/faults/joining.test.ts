import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { joinUnderLoad } from './join-under-load.ts';
import { until } from './until.ts';

const monitors = 60;
/**
 * Every machine can start a daemon in this time. A start that waits for other daemons, or conflicts with them, takes 15
 * s, so the test fails. The soak test has a limit of 2 s.
 */
const joinWithinMs = 14_000;

describe('a daemon that joins others on one PostgreSQL under load', () => {
  let fleet: Fleet;
  let target: Awaited<ReturnType<typeof httpTarget>>;
  beforeAll(async () => {
    fleet = await startFleet();
    target = await httpTarget((_, response) => response.end('ok'));
    const create = async (input: object) => {
      const { status } = await fleet.first.request('POST', '/api/monitors', { name: 'm', ...input });
      expect(status).toBe(201);
    };
    await create({ type: 'heartbeat', interval: 600, gracePeriod: 0 });
    for (let made = 0; made < monitors; made++) await create({ type: 'http', url: target.url, interval: 1 });
    await until('every monitor is up', 20_000, async () => (await countUp()) === monitors);
  });
  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await target.close();
  });

  const countUp = async () => (await states()).filter(({ status }) => status === 'up').length;
  const states = () =>
    fleet.database.store.db
      .selectFrom('monitor_state')
      .select(['monitor', 'status', 'rolled_up_until', 'ping_due_at'])
      .orderBy('monitor')
      .execute();

  it('a joining daemon starts without waiting for other daemons, and records no absence', async () => {
    const before = await states();
    const begun = performance.now();
    await fleet.join();
    expect(performance.now() - begun).toBeLessThan(joinWithinMs);
    expect(await states()).toEqual(before);
  });

  it('a joining daemon adds its new region to all monitors without waiting', async () => {
    const begun = performance.now();
    await fleet.join({ region: 'far' });
    expect(performance.now() - begun).toBeLessThan(joinWithinMs);
    const views = await fleet.database.store.db.selectFrom('monitor_state').select('regions').execute();
    const numbers = views.map(({ regions }) => Object.keys(JSON.parse(regions) as object).length);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([0, ...Array.from({ length: monitors }, () => 2)]);
    const scheduled = await fleet.database.store.db.selectFrom('schedule').select('region').execute();
    expect(scheduled).toHaveLength(2 * monitors);
  });
});

test('while daemons join and leave, no check is missed or repeated', async () => {
  await joinUnderLoad({ times: 2, monitors: 60, intervalSeconds: 3, togetherMs: 200, joinWithinMs });
});
