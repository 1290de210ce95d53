import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { type TestDatabase } from './databases.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { passed } from './passing-check.ts';
import { testVault } from './test-vault.ts';
import { begunAt, createWatchedProject, type WatchedProject } from './watched-project.ts';
import { type Checker, type CheckerOptions, startChecker } from '../engine/checker.ts';
import { createMonitorLoader } from '../engine/load-monitor.ts';
import { type OpenSchedule, openSchedule } from '../engine/open-schedule.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { createCheckRecording } from './record-check.ts';
import type { TestDatabaseKind } from './databases.ts';
import { absentUntil } from './absent-until.ts';

export const ownFault: CheckOutcome = {
  ...passed,
  verdict: 'internal',
  error: { code: 'internal', message: 'no descriptors' },
};

interface Begun {
  fields: ActiveFields;
  signal: AbortSignal;
  end: (outcome: CheckOutcome) => void;
}

/** Makes a checker, a project and a clock for each test. Call this function in a describe block. */
export function createCheckerWorld({ open }: Pick<TestDatabaseKind, 'open'>) {
  let database: TestDatabase;
  let clock: FakeClock;
  let project: WatchedProject;
  let checker: Checker;
  /** Every check that has begun. The test decides how each check ends. */
  let checks: Begun[];
  const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };

  let opened: OpenSchedule;

  const start = async (record: CheckerOptions['record']) => {
    const observingSince = () => begunAt;
    opened = await openSchedule(database.store, clock, { region: project.region, observingSince });
    checker = startChecker(
      { clock, log, random: Math.random },
      {
        loadMonitors: createMonitorLoader(database.store, testVault()),
        region: project.region,
        claims: opened.claims,
        absences: () => absentUntil(begunAt),
        runCheck: (fields, signal) =>
          new Promise((end) => {
            checks.push({ fields, signal, end });
            signal.addEventListener('abort', () => end(ownFault));
          }),
        record,
      },
    );
  };
  /** Records a check together with its change of the schedule, as the engine does. */
  const recordCheck = (check: FinishedCheck) => {
    const { store } = database;
    const recordOutcome = createCheckRecording(store);
    return store.write(
      async (trx) => {
        const { transition } = await recordOutcome(trx, check, opened.writes);
        return transition;
      },
      { durable: false },
    );
  };
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    clock = createFakeClock(begunAt);
    checks = [];
    log.error.mockClear();
  });
  afterEach(async () => {
    await checker.stop();
    await database.dispose();
    expect(log.error).not.toHaveBeenCalled();
  });

  /**
   * Moves the test's clock forward, as soon as the checker waits for that clock. Otherwise the clock would move while a
   * slow store still works.
   */
  const pass = async (ms: number) => {
    await vi.waitFor(() => expect(clock.waiting()).toBeGreaterThan(0), { timeout: 10_000, interval: 1 });
    await clock.advance(ms);
  };
  /** Moves time forward, by at most two minutes, until this many checks have begun. */
  const untilBegun = async (count: number) => {
    for (let waited = 0; waited < 120_000 && checks.length < count; waited += 100) await pass(100);
    expect(checks.length).toBeGreaterThanOrEqual(count);
  };

  return {
    get database() {
      return database;
    },
    get clock() {
      return clock;
    },
    get project() {
      return project;
    },
    get checker() {
      return checker;
    },
    get checks() {
      return checks;
    },
    /** Returns when the monitor's check is due next. */
    async nextCheckAt(monitor: number) {
      const { db } = database.store;
      const rows = db.selectFrom('schedule').innerJoin('monitor', 'monitor.seq', 'schedule.monitor');
      const row = await rows
        .select(['schedule.next_at', 'monitor.generation'])
        .where('schedule.monitor', '=', monitor)
        .executeTakeFirstOrThrow();
      return opened.claims.nextCheckAt(monitor, row.generation) ?? row.next_at;
    },
    start,
    recordCheck,
    pass,
    untilBegun,
  };
}
