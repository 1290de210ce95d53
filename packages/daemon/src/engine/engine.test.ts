import { testVault } from '../testing/test-vault.ts';
import type { NormalMonitor } from '@uptime/sdk/contract';
import { isPassive, validateMonitor } from '@uptime/sdk/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { changeMonitor, initMonitor, removeMonitors } from '../lifecycle/monitor-life.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import { createPingRecorder, type PingRecorder } from '../recording/ping-recorder.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import type { MonitorStateRow } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { askNobody, neverCalled } from '../testing/never-called.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { type Engine, startEngine } from './engine.ts';
import { wait } from '../wait.ts';

/**
 * Presence, checker, deliveries, heartbeats, reminders, rollups, maintenance, expiries, retention: at rest each waits
 * on a timer.
 */
const loops = 9;

const passed: CheckOutcome = {
  verdict: 'up',
  error: null,
  responseTime: 12.3,
  statusCode: 200,
  timings: { dns: 1, connect: 2, tls: null, firstByte: 3, download: 4 },
  certificate: null,
  trace: [],
};
const refused: CheckOutcome = {
  ...passed,
  verdict: 'down',
  error: { code: 'connect_refused', message: 'refused' },
  responseTime: null,
  statusCode: null,
};
const ownFault: CheckOutcome = {
  ...refused,
  verdict: 'internal',
  error: { code: 'internal', message: 'no descriptors' },
};

describe.each(databases)('the engine on $name', ({ open }) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let engine: Engine;
  let pings: PingRecorder;
  let outcome: CheckOutcome;
  /** Milliseconds. */
  let takes: number;
  /** Checks that wait on a timer of their own. */
  let hanging: number;
  let checked: number[];
  let transitions: RecordedTransition[];
  const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };

  const start = async () => {
    const deps = { clock, log, random: Math.random };
    pings = createPingRecorder(database.store, clock, (transition) => transitions.push(transition));
    engine = await startEngine(deps, {
      store: database.store,
      vault: testVault(),
      region: 'default',
      async runCheck(_, signal) {
        checked.push(clock.now());
        const found = outcome;
        if (takes > 0) {
          hanging++;
          await wait(clock, takes, signal).finally(() => hanging--);
        }
        return found;
      },
      pings,
      notifier: neverCalled,
      readRegistration: askNobody,
      rawRetentionDays: 30,
      onTransition: (transition) => transitions.push(transition),
    });
  };
  const stop = async () => {
    await engine.stop();
    await pings.close();
  };

  beforeEach(async () => {
    database = await open();
    clock = createFakeClock();
    [outcome, takes, hanging, checked, transitions] = [passed, 0, 0, [], []];
    log.error.mockClear();
    await start();
  });
  afterEach(async () => {
    await stop();
    await database.dispose();
    expect(log.error).not.toHaveBeenCalled();
  });

  const fieldsOf = (input: object): NormalMonitor => {
    const parsed = validateMonitor({ name: 'x', ...input });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    return parsed.value;
  };
  const create = async (input: object) => {
    const fields = fieldsOf(input);
    const now = clock.now();
    return database.store.write(async (trx) => {
      await trx
        .insertInto('project')
        .values({ id: 'prj_1', user_id: 'u', name: 'p', api_key: 'k', created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id: `mon_${Math.random()}`,
          project_id: 'prj_1',
          key: null,
          name: fields.name,
          type: fields.type,
          config: JSON.stringify(fields),
          generation: 0,
          token: isPassive(fields) ? 'token' : null,
          created_at: now,
          updated_at: now,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields, now });
      return { seq, fields };
    });
  };
  const edit = async (seq: number, before: NormalMonitor, change: object) => {
    const after = fieldsOf({ ...before, ...change });
    await database.store.write(async (trx) => {
      await trx
        .updateTable('monitor')
        .set({ config: JSON.stringify(after) })
        .where('seq', '=', seq)
        .execute();
      await changeMonitor(trx, { seq, before, after, now: clock.now() });
    });
    return after;
  };
  const state = (seq: number) =>
    database.store.db.selectFrom('monitor_state').selectAll().where('monitor', '=', seq).executeTakeFirstOrThrow();
  const episodes = () => database.store.db.selectFrom('episode').selectAll().execute();
  /**
   * Moves time forward in small steps. Before each step every loop must be at rest and every result stored, because the
   * store works in real time. A hanging check is waited for once.
   */
  const pass = async (ms: number, step = 250) => {
    for (let gone = 0; gone < ms; gone += step) {
      const before = checked.length;
      await clock.advance(Math.min(step, ms - gone));
      await vi.waitFor(() => expect(clock.waiting()).toBeGreaterThanOrEqual(loops + hanging), {
        timeout: 5000,
        interval: 1,
      });
      const waitEnd = performance.now() + 500;
      while (checked.length > before && performance.now() < waitEnd && (await anyClaim()))
        await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const anyClaim = () =>
    database.store.db.selectFrom('schedule').select('monitor').where('lease_until', '>', 0).limit(1).executeTakeFirst();
  /** Waits by the daemon's clock, so that a busy machine does not matter. */
  const untilState = async (seq: number, isSo: (row: MonitorStateRow) => boolean) => {
    for (let waited = 0; waited < 60_000 && !isSo(await state(seq)); waited += 100) await pass(100, 100);
    expect(await state(seq)).toSatisfy(isSo);
  };
  const untilStatus = (seq: number, status: string) => untilState(seq, (row) => row.status === status);

  it('checks a new monitor within two seconds, then once an interval on a fixed grid', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10 });
    const created = clock.now();
    await untilStatus(seq, 'up');
    expect(checked[0]! - created).toBeLessThanOrEqual(2000);
    await pass(60_000);
    // The clock moves in steps while the store works in real time. So a check may appear some steps late, but no more.
    const onGrid = checked.slice(1);
    expect(onGrid.length).toBeGreaterThanOrEqual(5);
    onGrid.forEach((at, turn) => expect(Math.abs(at - onGrid[0]! - turn * 10_000)).toBeLessThan(4000));
  });

  it('opens an outage at the first failure and closes it at recovery, with a row for each change', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 2 });
    await untilStatus(seq, 'up');
    outcome = refused;
    await untilStatus(seq, 'down');
    expect(await episodes()).toMatchObject([{ monitor: seq, closed_at: null, error_code: 'connect_refused' }]);
    outcome = passed;
    await untilStatus(seq, 'up');
    expect(await episodes()).toMatchObject([{ close_reason: 'recovered' }]);
    const changes = await database.store.db
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
      () => expect(transitions.map((transition) => transition.to)).toEqual(['up', 'down', 'up']),
      10_000,
    );
  });

  it('an internal fault gives no verdict, its time does not count, and the check is retried soon', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    outcome = ownFault;
    await database.store.write((trx) => trx.updateTable('schedule').set({ next_at: clock.now() }).execute());
    await untilState(seq, ({ blind_since }) => blind_since !== null);
    const before = checked.length;
    await pass(8000);
    expect(checked.length).toBeGreaterThan(before);
    expect((await state(seq)).status).toBe('up');
    expect(await database.store.db.selectFrom('result').selectAll().execute()).toHaveLength(1);
  });

  it('time before an internal fault is accounted, and time during it is not', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    const began = (await state(seq)).since;
    await pass(60_000, 1000);
    outcome = ownFault;
    await database.store.write((trx) => trx.updateTable('schedule').set({ next_at: clock.now() }).execute());
    await untilState(seq, ({ blind_since }) => blind_since !== null);
    const blindSince = (await state(seq)).blind_since!;
    await pass(20_000);
    outcome = passed;
    await untilState(seq, ({ blind_since }) => blind_since === null);
    const observed = await database.store.db
      .selectFrom('observed_day')
      .select('up_ms')
      .where('monitor', '=', seq)
      .execute();
    expect(observed.reduce((sum, row) => sum + row.up_ms, 0)).toBe(blindSince - began);
  });

  it('at its stop, gives back claimed checks that have not begun', async () => {
    for (let made = 0; made < 30; made++) await create({ type: 'http', url: 'https://localhost:1/' });
    await vi.waitFor(async () => {
      await clock.advance(1);
      expect(checked.length).toBeGreaterThan(0);
    }, 10_000);
    expect(checked.length).toBeLessThan(30);
    await stop();
    const held = await database.store.db
      .selectFrom('schedule')
      .select('monitor')
      .where('lease_until', '>', 0)
      .execute();
    expect(held).toEqual([]);
    await start();
  });

  it('time in which the daemon was stopped counts against no monitor', async () => {
    const { seq: beat } = await create({ type: 'heartbeat', interval: 60, gracePeriod: 30 });
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 60 });
    await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: clock.now() });
    await untilStatus(seq, 'up');
    await pass(30_000);
    await stop();
    clock.jump(10 * 3_600_000);
    await start();
    await pass(50_000);
    expect((await state(beat)).status).toBe('up');
    expect((await createStatsReader(database.store)(seq, clock.now())).uptime24h).toBe(100);
    const observed = await database.store.db
      .selectFrom('observed_hour')
      .select('up_ms')
      .where('monitor', '=', seq)
      .execute();
    expect(observed.reduce((sum, row) => sum + row.up_ms, 0)).toBeLessThan(120_000);
    await pass(30_000);
    await untilStatus(beat, 'down');
  });

  it('notices that the machine was suspended, and gives heartbeats the time back', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 60, gracePeriod: 30 });
    await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: clock.now() });
    await pass(5000);
    clock.jump(3_600_000);
    await pass(60_000);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
  });

  it('continues checking and judging when the clock is set back by an hour', async () => {
    const { seq: beat } = await create({ type: 'heartbeat', interval: 40, gracePeriod: 5 });
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 2 });
    await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: clock.now() });
    await untilStatus(seq, 'up');
    clock.setWall(-3_600_000);
    await pass(3000);
    outcome = refused;
    await untilStatus(seq, 'down');
    expect((await state(beat)).status).toBe('up');
    const before = clock.monotonicMs();
    await untilStatus(beat, 'down');
    expect(clock.monotonicMs() - before).toBeLessThan(46_000);
  });

  it('handles a ping correctly just after the clock is set back', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    const ping = () =>
      pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: clock.now() });
    await ping();
    await pass(5000);
    clock.setWall(-3_600_000);
    await clock.advance(100);
    await ping();
    const pinged = clock.monotonicMs();
    await untilStatus(seq, 'down');
    const silence = clock.monotonicMs() - pinged;
    expect(silence).toBeGreaterThanOrEqual(15_000);
    // A slow store makes gaps in the daemon's signs of life, which are given back to the heartbeat.
    expect(silence).toBeLessThan(30_000);
  });

  it('moves the deadline of a heartbeat that was pinged just before the clock is set back', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    await pass(1900);
    await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at: clock.now() });
    clock.setWall(-3_600_000);
    await pass(10_000);
    expect((await state(seq)).status).toBe('up');
    const from = clock.monotonicMs();
    await untilStatus(seq, 'down');
    expect(clock.monotonicMs() - from).toBeLessThan(20_000);
  });

  it('after a kill, checks at once what it had claimed, if no other daemon can', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    await stop();
    await database.store.db
      .updateTable('schedule')
      .set({ next_at: 0, lease_until: clock.now() + 60_000 })
      .execute();
    const before = checked.length;
    await start();
    await pass(2000);
    expect(checked.length).toBe(database.store.dialect.exclusive ? before + 1 : before);
  });

  it('judges a heartbeat within two seconds after it is due', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    const at = clock.now();
    await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at });
    await pass(14_900);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - at).toBeLessThan(17_000);
    expect((await state(seq)).since - at).toBeGreaterThanOrEqual(15_000);
  });

  it('judges the silence after the last of many pings, and postpones its look at the earlier ones', async () => {
    const { seq } = await create({ type: 'heartbeat', interval: 10, gracePeriod: 5 });
    let at = clock.now();
    for (let pinged = 0; pinged < 8; pinged++) {
      at = clock.now();
      await pings.record({ token: 'token', kind: 'success', exitCode: null, metrics: null, at });
      await pass(4000);
    }
    const { status, silence_review_at: review } = await state(seq);
    expect(status).toBe('up');
    expect(review).toBeGreaterThan(clock.now());
    await pass(10_900);
    expect((await state(seq)).status).toBe('up');
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - at).toBeLessThan(17_000);
  });

  it('starts the run of failures again when the target is edited, and drops the old result', async () => {
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    outcome = refused;
    await untilStatus(seq, 'down');
    expect((await state(seq)).failures).toBe(1);
    await edit(seq, fields, { port: 2 });
    expect(await state(seq)).toMatchObject({ status: 'down', failures: 0 });
    outcome = passed;
    await untilStatus(seq, 'up');
    expect(await episodes()).toHaveLength(1);
  });

  it('begins the next check when it is due, however long the one before it hangs', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await untilStatus(seq, 'up');
    [outcome, takes] = [refused, 25_000];
    const begins = clock.now();
    await untilStatus(seq, 'down');
    expect((await state(seq)).since - begins).toBeLessThanOrEqual(10_000 + 25_000);
    await pass(begins + 3 * 10_000 + 25_000 - clock.now());
    await vi.waitFor(async () => expect((await state(seq)).failures).toBe(3), 10_000);
    const hanging = checked.filter((at) => at >= begins);
    // A slow store may delay one check, but not those after it.
    for (const [place, at] of hanging.entries()) expect(Math.abs(at - hanging[0]! - place * 10_000)).toBeLessThan(2000);
  });

  it('ignores a hanging check once a later one has a verdict, and keeps that verdict', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await untilStatus(seq, 'up');
    const before = checked.length;
    [outcome, takes] = [refused, 25_000];
    while (checked.length === before) await pass(250);
    [outcome, takes] = [passed, 0];
    await pass(30_000);
    expect(await state(seq)).toMatchObject({ status: 'up', failures: 0 });
    expect(await episodes()).toEqual([]);
    const results = () => database.store.db.selectFrom('result').select('code').execute();
    await vi.waitFor(async () => expect(await results()).toHaveLength(checked.length), 10_000);
    expect(new Set((await results()).map(({ code }) => code)).size).toBe(2);
    // The checks that ended gave the claim back.
    const [count, from] = [checked.length, clock.monotonicMs()];
    while (checked.length < count + 2) await pass(250);
    expect(clock.monotonicMs() - from).toBeLessThan(30_000);
  });

  it('checks an edited target within two seconds, although the old check hangs', async () => {
    takes = 60_000;
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600, timeout: 60 });
    await pass(1000);
    expect(checked).toHaveLength(1);
    takes = 0;
    const edited = clock.now();
    await edit(seq, fields, { port: 2 });
    await untilStatus(seq, 'up');
    expect((await state(seq)).since - edited).toBeLessThanOrEqual(2000);
    outcome = refused;
    await pass(60_000, 5000);
    expect(await state(seq)).toMatchObject({ status: 'up' });
    expect(checked).toHaveLength(2);
  });

  it('begins nothing alongside a hanging check once its monitor is paused', async () => {
    takes = 25_000;
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    while (checked.length === 0) await pass(250);
    const count = checked.length;
    await edit(seq, fields, { paused: true });
    await pass(30_000, 1000);
    expect(checked.length).toBe(count);
    expect((await state(seq)).status).toBe('paused');
  });

  it('ignores checks that began before the pause once a monitor is resumed', async () => {
    [outcome, takes] = [refused, 10_000];
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600, timeout: 30 });
    while (checked.length === 0) await pass(250);
    const paused = await edit(seq, fields, { paused: true });
    await pass(5000, 1000);
    [outcome, takes] = [passed, 20_000];
    await edit(seq, paused, { paused: false });
    await untilStatus(seq, 'up');
    expect(transitions.map(({ to }) => to)).not.toContain('down');
    expect(checked).toHaveLength(2);
  });

  it('shows the time of the next check while several hang', async () => {
    takes = 25_000;
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 10, timeout: 25 });
    await pass(120_000, 500);
    const { next_at: nextAt } = await database.store.db
      .selectFrom('schedule')
      .select('next_at')
      .where('monitor', '=', seq)
      .executeTakeFirstOrThrow();
    expect(clock.now() - nextAt).toBeLessThan(2 * 10_000);
  });

  it('pauses and resumes: no checks, the outage ends, and the status is pending until the next result', async () => {
    const { seq, fields } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1 });
    outcome = refused;
    await untilStatus(seq, 'down');
    const paused = await edit(seq, fields, { paused: true });
    expect(await episodes()).toMatchObject([{ close_reason: 'paused' }]);
    await pass(1000);
    const count = checked.length;
    await pass(5000);
    expect(checked.length).toBe(count);
    await edit(seq, paused, { paused: false });
    expect((await state(seq)).status).toBe('pending');
    await untilStatus(seq, 'down');
  });

  it('reports in its health that no daemon serves a region which monitors use', async () => {
    await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1, regions: ['mars'] });
    expect(await engine.health.warnings()).toEqual(['No daemon checks from region "mars", and 1 monitor(s) use it.']);
  });

  it('removes a deleted monitor with all its results', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 1 });
    await untilStatus(seq, 'up');
    await database.store.write((trx) => removeMonitors(trx, [seq], clock.now()));
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(await database.store.db.selectFrom('purge').selectAll().execute()).toEqual([]);
    }, 10_000);
    for (const table of [
      'result',
      'result_detail',
      'check_hour',
      'response_histogram',
      'status_change',
      'schedule',
      'monitor_state',
    ] as const) {
      expect(await database.store.db.selectFrom(table).selectAll().where('monitor', '=', seq).execute()).toEqual([]);
    }
  });

  it('keeps time-weighted uptime through outages, accounted hours and the open hour', async () => {
    const { seq } = await create({ type: 'tcp', host: 'localhost', port: 1, interval: 3600 });
    await untilStatus(seq, 'up');
    const began = (await state(seq)).since;
    for (const [second, to] of [
      [30, refused],
      [40, passed],
      [70, refused],
    ] as const) {
      await pass(began + second * 1000 - clock.now());
      outcome = to;
      await database.store.write((trx) => trx.updateTable('schedule').set({ next_at: clock.now() }).execute());
      await untilStatus(seq, to === passed ? 'up' : 'down');
    }
    const stats = await createStatsReader(database.store)(seq, began + 80_000);
    expect(Math.abs((stats.uptime24h ?? 0) - 75)).toBeLessThan(2);
    expect(stats.uptime30d).toBe(stats.uptime24h);
    expect(stats.avgResponseTime).toBe(12.3);
  });
});
