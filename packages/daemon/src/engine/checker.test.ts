import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { ServiceError } from '../errors.ts';
import { createOutcomeRecording, type FinishedCheck } from '../recording/record-outcome.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { passed } from '../testing/passing-check.ts';
import { testVault } from '../testing/test-vault.ts';
import { begun, createWatchedProject, type WatchedProject } from '../testing/watched-project.ts';
import { type Checker, type CheckerOptions, startChecker } from './checker.ts';

const failed: CheckOutcome = { ...passed, verdict: 'down', error: { code: 'timeout', message: 'timeout' } };
const ownFault: CheckOutcome = {
  ...passed,
  verdict: 'internal',
  error: { code: 'internal', message: 'no descriptors' },
};

interface Begun {
  fields: ActiveFields;
  signal: AbortSignal;
  end: (outcome: CheckOutcome) => void;
}

describe.each(databases)('the checker on $name', ({ open }) => {
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

  it('does not renew a claim that was just given back with its result', async () => {
    const { db } = database.store;
    await project.addMonitor('shop', { interval: 3600 });
    const told = Promise.withResolvers<void>();
    const recorded = vi.fn<() => void>();
    // The result is committed, but its checker does not know that yet.
    start(async () => {
      await db
        .updateTable('schedule')
        .set({ lease_until: 0, next_at: clock.now() + 3_600_000 })
        .execute();
      recorded();
      await told.promise;
    });
    await untilBegun(1);
    checks[0]!.end(passed);
    await vi.waitFor(() => expect(recorded).toHaveBeenCalled(), 10_000);
    const renewals = vi.spyOn(database.store, 'write');
    await vi.waitFor(async () => {
      await clock.advance(5000);
      expect(renewals).toHaveBeenCalled();
    }, 10_000);
    await Promise.all(renewals.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(await db.selectFrom('schedule').select('lease_until').execute()).toEqual([{ lease_until: 0 }]);
    told.resolve();
  });

  it('an internal fault does not overtake the result of an earlier check', async () => {
    await project.addMonitor('shop', { interval: 10 });
    const found: FinishedCheck[] = [];
    start(async (check) => void found.push(check));
    await untilBegun(2);
    checks[1]!.end(ownFault);
    await vi.waitFor(() => expect(found).toHaveLength(1), 10_000);
    checks[0]!.end(failed);
    await vi.waitFor(() => expect(found).toHaveLength(2), 10_000);
    expect(found.map(({ outcome, later }) => [outcome.verdict, later])).toEqual([
      ['internal', 'none'],
      ['down', 'running'],
    ]);
  });

  it('a refused result that the store accepts later yields to an asked check that passed meanwhile', async () => {
    const shop = await project.addMonitor('shop', { interval: 3600 });
    const taken: [string, string, boolean][] = [];
    let refused = 0;
    start(async ({ outcome, later, overtaken }) => {
      if (outcome.verdict === 'down' && refused++ === 0) throw new ServiceError('unavailable', 'The disk is full.');
      taken.push([outcome.verdict, later, overtaken]);
    });
    await untilBegun(1);
    checks[0]!.end(failed);
    await vi.waitFor(() => expect(refused).toBe(1), 10_000);
    const asked = checker.checkNow(shop);
    await vi.waitFor(() => expect(checks).toHaveLength(2), 10_000);
    checks[1]!.end(passed);
    await asked;
    await vi.waitFor(async () => {
      await pass(500);
      expect(taken).toHaveLength(2);
    }, 10_000);
    // The schedule follows the scheduled check, the verdict follows the later one.
    expect(taken).toEqual([
      ['up', 'running', false],
      ['down', 'none', true],
    ]);
  });

  it('begins due checks while an asked check hangs, and leaves the schedule to them', async () => {
    const shop = await project.addMonitor('shop', { interval: 10, timeout: 120 });
    const record = createOutcomeRecording(database.store, 'default');
    start((check) => database.store.write((trx) => record(trx, check), { durable: false }));
    await untilBegun(1);
    checks[0]!.end(passed);
    const { db } = database.store;
    const scheduled = async () => (await db.selectFrom('schedule').selectAll().executeTakeFirstOrThrow()).next_at;
    await vi.waitFor(async () => expect(await scheduled()).toBeGreaterThan(clock.now()), 10_000);
    const next = await scheduled();
    const asked = checker.checkNow(shop);
    await vi.waitFor(() => expect(checks).toHaveLength(2), 10_000);
    await untilBegun(3);
    expect(clock.now()).toBeGreaterThanOrEqual(next);
    expect(clock.now()).toBeLessThan(next + 1000);
    checks[2]!.end(failed);
    await vi.waitFor(async () => expect(await scheduled()).toBe(next + 10_000), 10_000);
    checks[1]!.end(passed);
    await asked;
    expect(await scheduled()).toBe(next + 10_000);
    await untilBegun(4);
  });

  it('does not pile up results that the store refuses, reports since when, and continues once it accepts them', async () => {
    await project.addMonitor('shop', { interval: 1 });
    let [refuses, taken] = [true, 0];
    start(async () => {
      if (refuses) throw new ServiceError('unavailable', 'The disk is full.');
      taken++;
    });
    await untilBegun(3);
    for (let second = 0; second < 30; second++) {
      checks[second]?.end(failed);
      await clock.advance(1000);
    }
    expect(checks.length).toBeLessThanOrEqual(4);
    expect(checker.refusedForMs()).toBeGreaterThan(25_000);
    refuses = false;
    for (const { end } of checks) end(failed);
    const count = checks.length;
    await vi.waitFor(
      async () => {
        await pass(500);
        expect(taken).toBe(count);
      },
      { timeout: 5000, interval: 1 },
    );
    expect(checker.refusedForMs()).toBe(0);
    // Each check runs alongside the one before it.
    await database.store.db.updateTable('schedule').set({ next_at: clock.now(), lease_until: 0 }).execute();
    await untilBegun(count + 3);
  });

  it('stops all running checks even if the store does not accept claims back', async () => {
    await project.addMonitor('shop', { interval: 3600 });
    start(async () => {});
    await untilBegun(1);
    const store = vi
      .spyOn(database.store, 'write')
      .mockRejectedValue(new ServiceError('unavailable', 'The disk is full.'));
    await checker.stop();
    expect(store).toHaveBeenCalled();
    expect(checker.inFlight()).toBe(0);
  });

  it('an asked check waits a while, and no longer, for a claim that another holds', async () => {
    const shop = await project.addMonitor('shop', { interval: 3600 });
    const hold = (until: number) => database.store.db.updateTable('schedule').set({ lease_until: until }).execute();
    await hold(begun + 3_600_000);
    start(async () => {});
    const told = checker.checkNow(shop).then(
      () => 'checked',
      (error: Error) => error.message,
    );
    let answer: string | undefined;
    void told.then((said) => (answer = said));
    await clock.advance(10_000);
    expect(answer).toBeUndefined();
    await vi.waitFor(
      async () => {
        await pass(100);
        expect(answer).toBe('Another daemon is checking the monitor. Try again.');
      },
      { timeout: 5000, interval: 1 },
    );
    // Once given back, it is taken.
    const again = checker.checkNow(shop);
    await clock.advance(500);
    await hold(0);
    let ended = false;
    void again.then(() => (ended = true));
    // The schedule may begin another one first.
    await vi.waitFor(
      async () => {
        await pass(100);
        for (const { end } of checks) end(passed);
        expect(ended).toBe(true);
      },
      { timeout: 5000, interval: 1 },
    );
    expect(await again).toMatchObject({ monitor: shop, outcome: { verdict: 'up' } });
  });

  it('keeps places for other projects, however many checks hang', async () => {
    for (let made = 0; made < 100; made++) await project.addMonitor(`hanging${made}`, { interval: 1, timeout: 120 });
    start(async () => {});
    await untilBegun(100);
    for (let second = 0; second < 60; second++) await clock.advance(1000);
    expect(checks.length).toBeLessThan(4000);
    expect(checker.inFlight()).toBe(checks.length);
    await project.addMonitor('shop', { interval: 60 });
    await vi.waitFor(
      async () => {
        await pass(100);
        expect(checks.some(({ fields }) => fields.name === 'shop')).toBe(true);
      },
      { timeout: 10_000, interval: 1 },
    );
  });

  it('ends hanging checks at once when their monitor is paused, deleted or edited, and no others', async () => {
    const names = ['paused', 'deleted', 'edited', 'left'];
    const monitors: Record<string, number> = {};
    for (const name of names) monitors[name] = await project.addMonitor(name, { interval: 60 });
    start(async () => {});
    await untilBegun(4);
    const { db } = database.store;
    const later = begun + 3_600_000;
    await db.deleteFrom('schedule').where('monitor', '=', monitors['paused']!).execute();
    await db.deleteFrom('monitor').where('seq', '=', monitors['deleted']!).execute();
    await db
      .updateTable('monitor')
      .set((set) => ({ generation: set('generation', '+', 1) }))
      .where('seq', '=', monitors['edited']!)
      .execute();
    // The edited monitor is not due for an hour, so only the edit itself can end its check.
    await db.updateTable('schedule').set({ next_at: later }).where('monitor', '=', monitors['edited']!).execute();
    const ended = () =>
      checks
        .filter(({ signal }) => signal.aborted)
        .map(({ fields }) => fields.name)
        .toSorted();
    const edited = clock.now();
    while (ended().length < 3 && clock.now() - edited < 3000) await pass(100);
    expect(ended()).toEqual(['deleted', 'edited', 'paused']);
    await vi.waitFor(() => expect(checker.inFlight()).toBe(1), 10_000);
    expect(checker.ownFault()).toBeNull();
  });

  it('aborts checks of earlier versions of a monitor, however often it is edited', async () => {
    const shop = await project.addMonitor('shop', { interval: 1 });
    start(async () => {});
    await untilBegun(2);
    for (let edits = 0; edits < 10; edits++) {
      const count = checks.length;
      const { db } = database.store;
      await db
        .updateTable('monitor')
        .set((set) => ({ generation: set('generation', '+', 1) }))
        .where('seq', '=', shop)
        .execute();
      await db.updateTable('schedule').set({ next_at: clock.now(), lease_until: 0 }).execute();
      await untilBegun(count + 1);
    }
    expect(checks.slice(0, 2).every(({ signal }) => signal.aborted)).toBe(true);
    await vi.waitFor(() => expect(checker.inFlight()).toBeLessThanOrEqual(3), 10_000);
    expect(checker.ownFault()).toBeNull();
  });
});
