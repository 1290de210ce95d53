import { testVault } from './test-vault.ts';
import type { NormalMonitor } from '@uptime/sdk/contract';
import { isPassive, validateMonitor } from '@uptime/sdk/contract';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { changeMonitor, initMonitor } from '../lifecycle/monitor-life.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import { createPingRecorder, type PingRecorder } from '../recording/ping-recorder.ts';
import type { MonitorStateRow } from '../store/tables.ts';
import { type TestDatabase } from './databases.ts';
import { noRegistry, neverCalled } from './never-called.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type Engine, startEngine } from '../engine/engine.ts';
import { wait } from '../wait.ts';
import type { TestDatabaseKind } from './databases.ts';

/**
 * Number of loops that wait on a timer while they are idle: presence, checker, deliveries, heartbeats, reviews,
 * reminders, rollups, maintenance, closings, expiries, folds, partitions, retention and silent regions.
 */
const loops = 14;

export const passed: CheckOutcome = {
  verdict: 'up',
  error: null,
  responseTime: 12.3,
  statusCode: 200,
  timings: { dns: 1, connect: 2, tls: null, firstByte: 3, download: 4 },
  certificate: null,
  trace: [],
};

export const refused: CheckOutcome = {
  ...passed,
  verdict: 'down',
  error: { code: 'connect_refused', message: 'refused' },
  responseTime: null,
  statusCode: null,
};

/** Makes a database, a clock and an engine for each test. Call this function in a describe block. */
export function createEngineWorld({ open }: Pick<TestDatabaseKind, 'open'>) {
  let database: TestDatabase;
  let clock: FakeClock;
  let engine: Engine;
  let pings: PingRecorder;
  let outcome: CheckOutcome;
  /** How long a check takes, in milliseconds. */
  let takes: number;
  /** Number of running checks. Each of them waits on a timer, in addition to the timers of the loops. */
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
      readRegistration: noRegistry,
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
  const outages = () => database.store.db.selectFrom('outage').selectAll().execute();
  /**
   * Moves time forward in small steps. After each step it waits until every loop is idle. If a check began in the step,
   * it also waits until every result is stored. The waits are necessary because the store works in real time.
   */
  const pass = async (ms: number, step = 250) => {
    for (let gone = 0; gone < ms; gone += step) {
      const before = checked.length;
      await clock.advance(Math.min(step, ms - gone));
      await vi.waitFor(() => expect(clock.waiting()).toBeGreaterThanOrEqual(loops + hanging), {
        timeout: 20_000,
        interval: 1,
      });
      const waitEndMonoMs = performance.now() + 20_000;
      while (checked.length > before && performance.now() < waitEndMonoMs && (await isAnyUnrecorded())) {
        await engine.resultsSettled();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  };
  const isAnyUnrecorded = async () => {
    const { db, dialect } = database.store;
    if (dialect.exclusive) return engine.unrecorded() > hanging;
    const held = await db.selectFrom('schedule').select('monitor').where('lease_until', '>', 0).execute();
    return held.length > hanging;
  };
  /** Returns when the monitor's check is due next. */
  const nextCheckAt = async (monitor: number) => {
    const { db } = database.store;
    const rows = db.selectFrom('schedule').innerJoin('monitor', 'monitor.seq', 'schedule.monitor');
    const row = await rows
      .select(['schedule.next_at', 'monitor.generation'])
      .where('schedule.monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    return engine.nextCheckAt(monitor, row.generation) ?? row.next_at;
  };
  /**
   * Moves the test's clock, by up to a minute, until the monitor has this state. So the test does not depend on the
   * speed of the machine.
   */
  const untilState = async (seq: number, isSo: (row: MonitorStateRow) => boolean) => {
    for (let waited = 0; waited < 60_000 && !isSo(await state(seq)); waited += 100) await pass(100, 100);
    expect(await state(seq)).toSatisfy(isSo);
  };
  const untilStatus = (seq: number, status: string) => untilState(seq, (row) => row.status === status);

  return {
    get database() {
      return database;
    },
    get clock() {
      return clock;
    },
    get engine() {
      return engine;
    },
    get pings() {
      return pings;
    },
    get outcome() {
      return outcome;
    },
    set outcome(value) {
      outcome = value;
    },
    get takes() {
      return takes;
    },
    set takes(value) {
      takes = value;
    },
    get checked() {
      return checked;
    },
    get transitions() {
      return transitions;
    },
    start,
    stop,
    create,
    edit,
    state,
    outages,
    nextCheckAt,
    pass,
    untilState,
    untilStatus,
  };
}
