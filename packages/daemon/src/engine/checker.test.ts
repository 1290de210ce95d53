import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { begun, createWatchedProject } from '../testing/watched-project.ts';
import { startChecker } from './checker.ts';

describe.each(databases)('the checker on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  it('renews no claim that was given back with its result a moment ago', async () => {
    const { db } = database.store;
    const shop = await (await createWatchedProject(database.store)).addMonitor('shop');
    await db.deleteFrom('schedule').execute();
    await db.insertInto('schedule').values({ monitor: shop, region: 1, next_at: begun, lease_until: 0 }).execute();
    const clock = createFakeClock(begun);
    const log = { debug() {}, info() {}, warn() {}, error: vi.fn<() => void>() };
    const told = Promise.withResolvers<void>();
    const recorded = vi.fn<() => void>();
    const checker = startChecker(
      { clock, log, random: Math.random },
      {
        store: database.store,
        region: 1,
        observingSince: () => begun,
        runCheck: async () => ({
          verdict: 'up',
          error: null,
          responseTime: 1,
          statusCode: 200,
          timings: null,
          certificate: null,
          trace: [],
        }),
        // Committed, and its checker does not know yet.
        async record() {
          await db
            .updateTable('schedule')
            .set({ lease_until: 0, next_at: clock.now() + 3_600_000 })
            .execute();
          recorded();
          await told.promise;
        },
      },
    );
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(recorded).toHaveBeenCalled();
    });
    const renewals = vi.spyOn(database.store, 'write');
    await vi.waitFor(async () => {
      await clock.advance(5000);
      expect(renewals).toHaveBeenCalled();
    });
    await Promise.all(renewals.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(await db.selectFrom('schedule').select('lease_until').execute()).toEqual([{ lease_until: 0 }]);
    told.resolve();
    await checker.stop();
    expect(log.error).not.toHaveBeenCalled();
  });
});
