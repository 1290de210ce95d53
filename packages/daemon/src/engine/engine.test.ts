import { describe, expect, it, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { removeMonitors } from '../lifecycle/monitor-life.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { databases } from '../testing/databases.ts';
import { createEngineWorld, passed, refused } from '../testing/engine-world.ts';
import { allResults } from '../testing/all-results.ts';

const ownFault: CheckOutcome = {
  ...refused,
  verdict: 'internal',
  error: { code: 'internal', message: 'no descriptors' },
};

describe.each(databases)('the engine on $name', ({ open }) => {
  const world = createEngineWorld({ open });

  const { create, edit, state, outages, pass, untilState, untilStatus } = world;

  it('the engine checks a new monitor within two seconds, and then at the points of its grid', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10 });
    const created = world.clock.now();
    await untilStatus(seq, 'up');
    expect(world.checked[0]! - created).toBeLessThanOrEqual(2000);
    await pass(60_000);
    // The test's clock moves in steps while the store works in real time. So a check may seem to be several steps late.
    const onGrid = world.checked.slice(1);
    expect(onGrid.length).toBeGreaterThanOrEqual(5);
    onGrid.forEach((at, turn) => expect(Math.abs(at - onGrid[0]! - turn * 10_000)).toBeLessThan(4000));
  });

  it('the engine opens an outage at the first failure, closes it at the recovery, and stores each change of status', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 2 });
    await untilStatus(seq, 'up');
    world.outcome = refused;
    await untilStatus(seq, 'down');
    expect(await outages()).toMatchObject([{ monitor: seq, closed_at: null, error_code: 'connect_refused' }]);
    world.outcome = passed;
    await untilStatus(seq, 'up');
    expect(await outages()).toMatchObject([{ close_reason: 'recovered' }]);
    const changes = await world.database.store.db
      .selectFrom('status_change')
      .select(['from_status', 'to_status'])
      .orderBy('id')
      .execute();
    expect(changes.map((change) => `${change.from_status}-${change.to_status}`)).toEqual([
      'pending-up',
      'up-down',
      'down-up',
    ]);
    await vi.waitFor(
      () => expect(world.transitions.map((transition) => transition.to)).toEqual(['up', 'down', 'up']),
      10_000,
    );
  });

  it('the engine changes no status after a checker fault, stores no result, and retries the check soon', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    world.outcome = ownFault;
    await world.database.store.write((trx) =>
      trx.updateTable('schedule').set({ next_at: world.clock.now() }).execute(),
    );
    await untilState(seq, ({ unobserved_since }) => unobserved_since !== null);
    const before = world.checked.length;
    await pass(8000);
    expect(world.checked.length).toBeGreaterThan(before);
    expect((await state(seq)).status).toBe('up');
    expect(await allResults(world.database.store)).toHaveLength(1);
  });

  it('the engine stores gathered results when `resultsSettled` is called, and when the engine stops', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10 });
    await untilStatus(seq, 'up');
    const results = () => allResults(world.database.store);
    // The helper `pass` also stores the gathered results, so this test moves the clock without it.
    const untilChecked = (times: number) =>
      vi.waitFor(
        async () => {
          await world.clock.advance(250);
          expect(world.checked).toHaveLength(times);
        },
        { timeout: 10_000, interval: 5 },
      );
    await untilChecked(2);
    await world.engine.resultsSettled();
    expect(await results()).toHaveLength(2);
    await untilChecked(3);
    await world.stop();
    expect(await results()).toHaveLength(3);
    await world.start();
  });

  it('the engine rolls up the time before a checker fault, but not the time during the fault', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    const began = (await state(seq)).since;
    await pass(60_000, 1000);
    world.outcome = ownFault;
    await world.database.store.write((trx) =>
      trx.updateTable('schedule').set({ next_at: world.clock.now() }).execute(),
    );
    await untilState(seq, ({ unobserved_since }) => unobserved_since !== null);
    const unobservedSince = (await state(seq)).unobserved_since!;
    await pass(20_000);
    world.outcome = passed;
    await untilState(seq, ({ unobserved_since }) => unobserved_since === null);
    const observed = await world.database.store.db
      .selectFrom('observed_day')
      .select('up_ms')
      .where('monitor', '=', seq)
      .execute();
    expect(observed.reduce((sum, row) => sum + row.up_ms, 0)).toBe(unobservedSince - began);
  });

  it('the engine reports a silent heartbeat as down within two seconds after its deadline', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    const at = world.clock.now();
    await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at });
    await pass(14_900);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - at).toBeLessThan(17_000);
    expect((await state(seq)).since - at).toBeGreaterThanOrEqual(15_000);
  });

  it('the engine measures the silence of a heartbeat from its last ping, and postpones the review of a heartbeat that has pinged', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    let at = world.clock.now();
    for (let pinged = 0; pinged < 8; pinged++) {
      at = world.clock.now();
      await world.pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at });
      await pass(4000);
    }
    const { status, silence_review_at: review } = await state(seq);
    expect(status).toBe('up');
    expect(review).toBeGreaterThan(world.clock.now());
    await pass(10_900);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - at).toBeLessThan(17_000);
  });

  it('the engine restarts the count of failures when the target is edited, and keeps the outage open until the next result', async () => {
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    world.outcome = refused;
    await untilStatus(seq, 'down');
    expect((await state(seq)).failures).toBe(1);
    await edit(seq, fields, { port: 2 });
    expect(await state(seq)).toMatchObject({ status: 'down', failures: 0 });
    world.outcome = passed;
    await untilStatus(seq, 'up');
    expect(await outages()).toHaveLength(1);
  });

  it('the engine ends the checks and the outage of a monitor that is paused, and makes its status pending when it is resumed', async () => {
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1 });
    world.outcome = refused;
    await untilStatus(seq, 'down');
    const paused = await edit(seq, fields, { paused: true });
    expect(await outages()).toMatchObject([{ close_reason: 'paused' }]);
    await pass(1000);
    const count = world.checked.length;
    await pass(5000);
    expect(world.checked.length).toBe(count);
    await edit(seq, paused, { paused: false });
    expect((await state(seq)).status).toBe('pending');
    await untilStatus(seq, 'down');
  });

  it('the engine reports in its health that no daemon or probe serves a region which monitors use', async () => {
    await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1, regions: ['mars'] });
    expect(await world.engine.health.warnings()).toEqual([
      'Monitors name regions that were never served: "mars". 1 monitor(s) are not checked from there.',
    ]);
  });

  it('the engine removes a deleted monitor with all its results', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1 });
    await untilStatus(seq, 'up');
    await world.database.store.write((trx) => removeMonitors(trx, [seq], world.clock.now()));
    await vi.waitFor(async () => {
      await world.clock.advance(60_000);
      expect(await world.database.store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
    }, 10_000);
    for (const table of [
      'result',
      'recent_result',
      'result_detail',
      'check_hour',
      'response_histogram',
      'status_change',
      'schedule',
      'monitor_state',
    ] as const) {
      expect(await world.database.store.db.selectFrom(table).selectAll().where('monitor', '=', seq).execute()).toEqual(
        [],
      );
    }
  });

  it('the engine computes the uptime from the time spent up, whether or not that time is rolled up yet', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    const began = (await state(seq)).since;
    for (const [second, to] of [
      [30, refused],
      [40, passed],
      [70, refused],
    ] as const) {
      await pass(began + second * 1000 - world.clock.now());
      world.outcome = to;
      await world.database.store.write((trx) =>
        trx.updateTable('schedule').set({ next_at: world.clock.now() }).execute(),
      );
      await untilStatus(seq, to === passed ? 'up' : 'down');
    }
    const stats = await createStatsReader(world.database.store)(seq, began + 80_000);
    expect(Math.abs((stats.uptime24h ?? 0) - 75)).toBeLessThan(2);
    expect(stats.uptime30d).toBe(stats.uptime24h);
    expect(stats.avgResponseTime).toBe(12.3);
  });
});
