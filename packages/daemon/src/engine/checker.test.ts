import { describe, expect, it, vi } from 'vitest';
import type { CheckOutcome } from '../checks/check.ts';
import { ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { databases } from '../testing/databases.ts';
import { passed } from '../testing/passing-check.ts';
import { begunAt } from '../testing/watched-project.ts';
import { createCheckerWorld, ownFault } from '../testing/checker-world.ts';

const failed: CheckOutcome = { ...passed, verdict: 'down', error: { code: 'timeout', message: 'timeout' } };

describe('the checker on a schedule that daemons share', () => {
  const world = createCheckerWorld(databases.find(({ name }) => name === 'postgres')!);
  const { start, pass, untilBegun } = world;

  it('the checker does not renew the claim of a check whose result is already committed', async () => {
    const { db } = world.database.store;
    await world.project.addMonitor('shop', { interval: 3600 });
    const committed = Promise.withResolvers<void>();
    const recorded = vi.fn<() => void>();
    // The result is committed, but its checker does not know that yet.
    await start(async () => {
      await db
        .updateTable('schedule')
        .set({ lease_until: 0, next_at: world.clock.now() + 3_600_000 })
        .execute();
      recorded();
      await committed.promise;
    });
    await untilBegun(1);
    world.checks[0]!.end(passed);
    await vi.waitFor(() => expect(recorded).toHaveBeenCalled(), 10_000);
    const renewals = vi.spyOn(world.database.store, 'write');
    await vi.waitFor(async () => {
      await world.clock.advance(5000);
      expect(renewals).toHaveBeenCalled();
    }, 10_000);
    await Promise.all(renewals.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(await db.selectFrom('schedule').select('lease_until').execute()).toEqual([{ lease_until: 0 }]);
    committed.resolve();
  });

  it('the checker lets a requested check wait for a limited time while another process has the claim of the monitor', async () => {
    const shop = await world.project.addMonitor('shop', { interval: 3600 });
    // The monitor is not due. Otherwise the loop of the checker could claim it first.
    const hold = (until: number) =>
      world.database.store.db
        .updateTable('schedule')
        .set({ lease_until: until, next_at: begunAt + 3_600_000 })
        .execute();
    await hold(begunAt + 3_600_000);
    await start(async () => {});
    const outcome = world.checker.checkNow(shop).then(
      () => 'checked',
      (error: Error) => error.message,
    );
    let answer: string | undefined;
    void outcome.then((text) => (answer = text));
    await world.clock.advance(10_000);
    expect(answer).toBeUndefined();
    await vi.waitFor(
      async () => {
        await pass(100);
        expect(answer).toBe('Another daemon is checking the monitor. Try again.');
      },
      { timeout: 20_000, interval: 1 },
    );
    // Once the other process has given the claim back, the requested check takes it.
    const again = world.checker.checkNow(shop);
    await world.clock.advance(500);
    await hold(0);
    let ended = false;
    void again.then(() => (ended = true));
    await vi.waitFor(
      async () => {
        await pass(100);
        for (const { end } of world.checks) end(passed);
        expect(ended).toBe(true);
      },
      { timeout: 20_000, interval: 1 },
    );
    expect(await again).toMatchObject({ monitor: shop, outcome: { verdict: 'up' } });
  });
});

describe.each(databases)('the checker on $name', ({ open }) => {
  const world = createCheckerWorld({ open });
  const { start, pass, untilBegun } = world;

  it('the checker lets the result of a check change the status, even if a later check has already ended with a checker fault', async () => {
    await world.project.addMonitor('shop', { interval: 10 });
    const found: FinishedCheck[] = [];
    await start(async (check) => void found.push(check));
    await untilBegun(2);
    world.checks[1]!.end(ownFault);
    await vi.waitFor(() => expect(found).toHaveLength(1), 10_000);
    world.checks[0]!.end(failed);
    await vi.waitFor(() => expect(found).toHaveLength(2), 10_000);
    expect(found.map(({ outcome, later }) => [outcome.verdict, later])).toEqual([
      ['internal', 'none'],
      ['down', 'running'],
    ]);
  });

  it('the checker marks a result as overtaken if the store accepts it only after a later requested check has passed', async () => {
    const shop = await world.project.addMonitor('shop', { interval: 3600 });
    const taken: [string, string, boolean][] = [];
    let refused = 0;
    await start(async ({ outcome, later, overtaken }) => {
      if (outcome.verdict === 'down' && refused++ === 0) throw new ServiceError('unavailable', 'The disk is full.');
      taken.push([outcome.verdict, later, overtaken]);
    });
    await untilBegun(1);
    world.checks[0]!.end(failed);
    await vi.waitFor(() => expect(refused).toBe(1), 10_000);
    const requested = world.checker.checkNow(shop);
    await vi.waitFor(() => expect(world.checks).toHaveLength(2), 10_000);
    world.checks[1]!.end(passed);
    await requested;
    await vi.waitFor(async () => {
      await pass(500);
      expect(taken).toHaveLength(2);
    }, 10_000);
    // The scheduled check sets when the next check is due. The requested check began later, so it decides the status.
    // On SQLite, a claim ends with its check, even if the store has not accepted the result yet.
    const { exclusive } = world.database.store.dialect;
    expect(taken).toEqual([
      ['up', exclusive ? 'none' : 'running', false],
      ['down', 'none', true],
    ]);
  });

  it('the checker begins due checks while a requested check hangs, and only due checks change the schedule', async () => {
    const shop = await world.project.addMonitor('shop', { interval: 10, timeout: 120 });
    await start(world.recordCheck);
    await untilBegun(1);
    world.checks[0]!.end(passed);
    const scheduled = () => world.nextCheckAt(shop);
    await vi.waitFor(async () => expect(await scheduled()).toBeGreaterThan(world.clock.now()), 10_000);
    const next = await scheduled();
    const requested = world.checker.checkNow(shop);
    await vi.waitFor(() => expect(world.checks).toHaveLength(2), 10_000);
    await untilBegun(3);
    expect(world.clock.now()).toBeGreaterThanOrEqual(next);
    expect(world.clock.now()).toBeLessThan(next + 1000);
    world.checks[2]!.end(failed);
    await vi.waitFor(async () => expect(await scheduled()).toBe(next + 10_000), 10_000);
    world.checks[1]!.end(passed);
    await requested;
    expect(await scheduled()).toBe(next + 10_000);
    await untilBegun(4);
  });

  it('the checker records all refused results as soon as the store accepts one result', async () => {
    for (const name of ['first', 'second', 'third']) await world.project.addMonitor(name, { interval: 3600 });
    let refuses = true;
    const tried: number[] = [];
    const taken: number[] = [];
    await start(async ({ monitor }) => {
      tried.push(monitor);
      if (refuses) throw new ServiceError('unavailable', 'The disk is full.');
      taken.push(monitor);
    });
    await untilBegun(3);
    world.checks[0]!.end(failed);
    world.checks[1]!.end(failed);
    await vi.waitFor(() => expect(tried).toHaveLength(2), 10_000);
    refuses = false;
    // The clock of the checker stands still, so no wait for the next try ends by itself.
    world.checks[2]!.end(failed);
    await vi.waitFor(() => expect(taken).toHaveLength(3), 10_000);
    expect(world.checker.refusedForMs()).toBe(0);
  });

  it('the checker begins no further checks while the store refuses results, and reports how long the store has refused them', async () => {
    await world.project.addMonitor('shop', { interval: 1 });
    let [refuses, taken] = [true, 0];
    await start(async () => {
      if (refuses) throw new ServiceError('unavailable', 'The disk is full.');
      taken++;
    });
    await untilBegun(3);
    for (let second = 0; second < 30; second++) {
      world.checks[second]?.end(failed);
      await world.clock.advance(1000);
    }
    expect(world.checks.length).toBeLessThanOrEqual(4);
    expect(world.checker.refusedForMs()).toBeGreaterThan(25_000);
    refuses = false;
    for (const { end } of world.checks) end(failed);
    const count = world.checks.length;
    await vi.waitFor(
      async () => {
        await pass(500);
        expect(taken).toBe(count);
      },
      { timeout: 20_000, interval: 1 },
    );
    expect(world.checker.refusedForMs()).toBe(0);
    // These checks never end, so each further check begins while an earlier one still runs.
    await world.database.store.db.updateTable('schedule').set({ next_at: world.clock.now(), lease_until: 0 }).execute();
    await untilBegun(count + 3);
  });

  it('the checker ends all running checks at a stop, even if the store refuses to give claims back', async () => {
    await world.project.addMonitor('shop', { interval: 3600 });
    await start(async () => {});
    await untilBegun(1);
    const store = vi
      .spyOn(world.database.store, 'write')
      .mockRejectedValue(new ServiceError('unavailable', 'The disk is full.'));
    await world.checker.stop();
    expect(store.mock.calls.length > 0).toBe(!world.database.store.dialect.exclusive);
    expect(world.checker.inFlight()).toBe(0);
  });

  it('the checker keeps slots for the first check of a monitor, however many checks of other monitors hang', async () => {
    for (let made = 0; made < 100; made++)
      await world.project.addMonitor(`hanging${made}`, { interval: 1, timeout: 120 });
    await start(async () => {});
    await untilBegun(100);
    for (let second = 0; second < 60; second++) await world.clock.advance(1000);
    expect(world.checks.length).toBeLessThan(4000);
    expect(world.checker.inFlight()).toBe(world.checks.length);
    await world.project.addMonitor('shop', { interval: 60 });
    await vi.waitFor(
      async () => {
        await pass(100);
        expect(world.checks.some(({ fields }) => fields.name === 'shop')).toBe(true);
      },
      { timeout: 10_000, interval: 1 },
    );
  });

  it('the checker ends hanging checks soon after their monitor is paused, deleted or edited, and lets other checks continue', async () => {
    const names = ['paused', 'deleted', 'edited', 'left'];
    const monitors: Record<string, number> = {};
    for (const name of names) monitors[name] = await world.project.addMonitor(name, { interval: 60 });
    await start(async () => {});
    await untilBegun(4);
    const { db } = world.database.store;
    const later = begunAt + 3_600_000;
    await db.deleteFrom('schedule').where('monitor', '=', monitors['paused']!).execute();
    await db.deleteFrom('monitor').where('seq', '=', monitors['deleted']!).execute();
    await db
      .updateTable('monitor')
      .set((set) => ({ generation: set('generation', '+', 1) }))
      .where('seq', '=', monitors['edited']!)
      .execute();
    // The edited monitor is not due for an hour. So its check can end only because of the edit.
    await db.updateTable('schedule').set({ next_at: later }).where('monitor', '=', monitors['edited']!).execute();
    const ended = () =>
      world.checks
        .filter(({ signal }) => signal.aborted)
        .map(({ fields }) => fields.name)
        .toSorted();
    const edited = world.clock.now();
    while (ended().length < 3 && world.clock.now() - edited < 3000) await pass(100);
    expect(ended()).toEqual(['deleted', 'edited', 'paused']);
    await vi.waitFor(() => expect(world.checker.inFlight()).toBe(1), 10_000);
    expect(world.checker.ownFault()).toBeNull();
  });

  it('the checker ends the checks of earlier versions of a monitor, however often the monitor is edited', async () => {
    const shop = await world.project.addMonitor('shop', { interval: 1 });
    await start(async () => {});
    await untilBegun(2);
    for (let edits = 0; edits < 10; edits++) {
      const count = world.checks.length;
      const { db } = world.database.store;
      await db
        .updateTable('monitor')
        .set((set) => ({ generation: set('generation', '+', 1) }))
        .where('seq', '=', shop)
        .execute();
      await db.updateTable('schedule').set({ next_at: world.clock.now(), lease_until: 0 }).execute();
      await untilBegun(count + 1);
    }
    expect(world.checks.slice(0, 2).every(({ signal }) => signal.aborted)).toBe(true);
    await vi.waitFor(() => expect(world.checker.inFlight()).toBeLessThanOrEqual(3), 10_000);
    expect(world.checker.ownFault()).toBeNull();
  });
});
