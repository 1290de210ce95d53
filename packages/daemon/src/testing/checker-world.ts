import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { type TestDatabase } from './databases.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { passed } from './passing-check.ts';
import { testVault } from './test-vault.ts';
import { begun, createWatchedProject, type WatchedProject } from './watched-project.ts';
import { type Checker, type CheckerOptions, startChecker } from '../engine/checker.ts';
import type { TestDatabaseKind } from './databases.ts';

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

/** A checker for each test, with a project and a clock of its own. Call it in a describe block. */
export function createCheckerWorld({ open }: Pick<TestDatabaseKind, 'open'>) {
  let database: TestDatabase;
  let clock: FakeClock;
  let project: WatchedProject;
  let checker: Checker;
  /** Every check that has begun. The test decides how each ends. */
  let checks: Begun[];
  const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };

  const start = (record: CheckerOptions['record']) => {
    checker = startChecker(
      { clock, log, random: Math.random },
      {
        store: database.store,
        vault: testVault(),
        region: project.region,
        observingSince: () => begun,
        runCheck: (fields, signal) =>
          new Promise((end) => {
            checks.push({ fields, signal, end });
            signal.addEventListener('abort', () => end(ownFault));
          }),
        record,
      },
    );
  };
  beforeEach(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    clock = createFakeClock(begun);
    checks = [];
    log.error.mockClear();
  });
  afterEach(async () => {
    await checker.stop();
    await database.dispose();
    expect(log.error).not.toHaveBeenCalled();
  });

  /**
   * Moves time forward once the loop waits on the clock. Otherwise a store that is slow in real time would seem to take
   * the clock's time.
   */
  const pass = async (ms: number) => {
    await vi.waitFor(() => expect(clock.waiting()).toBeGreaterThan(0), { timeout: 10_000, interval: 1 });
    await clock.advance(ms);
  };
  /** Moves time forward until this many checks have begun, by two minutes at most. */
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
    start,
    pass,
    untilBegun,
  };
}
