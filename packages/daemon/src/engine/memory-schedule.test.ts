import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeMonitors } from '../lifecycle/monitor-life.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { monitorRow } from '../testing/rows.ts';
import { begunAt, createWatchedProject, minute, type WatchedProject } from '../testing/watched-project.ts';
import { createMemoryClaims } from './memory-claims.ts';
import { loadMemorySchedule } from './memory-schedule.ts';

describe('the schedule in memory', () => {
  let database: TestDatabase;
  let store: Store;
  let clock: FakeClock;
  let project: WatchedProject;

  beforeEach(async () => {
    database = await databases[0]!.open();
    store = database.store;
    clock = createFakeClock(begunAt + minute);
    project = await createWatchedProject(store);
  });
  afterEach(() => database.dispose());

  const load = () => loadMemorySchedule(store, clock, project.region);
  const open = async () => {
    const { schedule, update } = await load();
    const observingSince = () => begunAt;
    return {
      schedule,
      claims: createMemoryClaims({ clock, region: project.region, schedule, update, observingSince }),
    };
  };
  const passedBefore = (monitor: number) =>
    store.db
      .updateTable('monitor_state')
      .set({ regions: JSON.stringify({ [project.region]: { at: begunAt, failed: false, round: 'due', began: null } }) })
      .where('monitor', '=', monitor)
      .execute();

  it.each<[string, (db: Kysely<Tables>, monitor: number) => Promise<unknown>, 'gone' | 'due']>([
    [
      'deletes the row of the monitor',
      (db, monitor) => db.deleteFrom('schedule').where('monitor', '=', monitor).execute(),
      'gone',
    ],
    ['deletes the monitor', (db, monitor) => db.deleteFrom('monitor').where('seq', '=', monitor).execute(), 'gone'],
    ['deletes the project', (db) => db.deleteFrom('project').execute(), 'gone'],
    [
      'updates the row of the monitor',
      (db) => sql`update schedule set next_at = ${begunAt + minute}`.execute(db),
      'due',
    ],
    [
      'replaces the row of the monitor',
      (db) => sql`insert or replace into schedule select * from schedule`.execute(db),
      'due',
    ],
  ])('the schedule in memory changes accordingly if another process %s', async (_, change, expected) => {
    const monitor = await project.addMonitor('shop', { interval: 3600 });
    await passedBefore(monitor);
    const { schedule, update } = await load();
    expect(schedule.find(monitor)!.nextAt).toBeGreaterThan(clock.now());
    const other = await database.openAnother();
    await other.write((trx) => change(trx, monitor));
    await update();
    if (expected === 'gone') expect(schedule.find(monitor)).toBeUndefined();
    else expect(schedule.find(monitor)!.nextAt).toBeLessThanOrEqual(clock.now());
  });

  it('the schedule in memory applies the writes of this process, but ignores writes that are rolled back', async () => {
    const { schedule, update } = await load();
    const monitor = await project.addMonitor('shop', { interval: 3600 });
    const undone = store.write(async (trx) => {
      await trx.deleteFrom('schedule').execute();
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    await update();
    expect(schedule.find(monitor)).toMatchObject({ project: 'prj', nextAt: begunAt, claimed: false });
    await store.write((trx) => removeMonitors(trx, [monitor], clock.now()));
    await update();
    expect(schedule.size()).toBe(0);
  });

  it('the schedule in memory lets only one of several simultaneous calls claim an edited monitor', async () => {
    const monitor = await project.addMonitor('shop', { interval: 3600 });
    const { claims } = await open();
    expect(await claims.takeDue({ limit: 9 })).toHaveLength(1);
    await sql`update schedule set next_at = ${begunAt}`.execute(store.db);
    const taken = await Promise.all([1, 2, 3, 4].map(() => claims.takeOne(monitor)));
    expect(taken.filter((one) => one !== false)).toHaveLength(1);
  });

  it('after a start, each monitor is due at the next point of its grid, and a pending monitor is due at once', async () => {
    const monitors = [];
    for (let made = 0; made < 40; made++) monitors.push(await project.addMonitor(`m${made}`, { interval: 60 }));
    for (const monitor of monitors.slice(1)) await passedBefore(monitor);
    const { schedule, claims } = await open();
    expect(await claims.takeDue({ limit: 100 })).toMatchObject([{ monitor: monitors[0], next_at: begunAt }]);
    const waits = monitors.slice(1).map((monitor) => schedule.find(monitor)!.nextAt - clock.now());
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
    for (let part = 0; part < 4; part++)
      expect(waits.filter((ms) => Math.floor(ms / 15_000) === part).length).toBeGreaterThan(5);
  });

  it('the schedule in memory reads all changes, even if one statement cannot return them all, and deletes most of them afterwards', async () => {
    const { schedule, update } = await load();
    await store.write(async (trx) => {
      const rows = Array.from({ length: 1300 }, (_, at) => monitorRow(`mon_${at}`, 'prj'));
      for (const row of rows) await trx.insertInto('monitor').values(row).execute();
      await sql`insert into schedule (monitor, region, next_at, lease_until, project)
        select seq, ${project.region}, ${begunAt}, 0, 'prj' from monitor`.execute(trx);
    });
    await update();
    expect(schedule.size()).toBe(1300);
    await sql`update schedule set next_at = ${begunAt}`.execute(store.db);
    await update();
    const left = await store.db.selectFrom('schedule_change').select('seq').execute();
    expect(left.length).toBeLessThanOrEqual(1000);
  });

  it('the schedule in memory does not change the time until the next check when the clock steps', async () => {
    const monitor = await project.addMonitor('shop', { interval: 60 });
    await passedBefore(monitor);
    const { claims } = await open();
    const first = (await claims.firstFree())!;
    const waitMs = first.at - clock.now();
    clock.step(-3_600_000);
    expect((await claims.firstFree())!.at - clock.now()).toBe(waitMs);
    await clock.advance(waitMs);
    expect(await claims.takeDue({ limit: 1 })).toMatchObject([{ monitor }]);
  });

  it('the schedule in memory releases a claim whose check was lost, and keeps the claim of a running check', async () => {
    const lost = await project.addMonitor('lost', { interval: 60 });
    const running = await project.addMonitor('running', { interval: 60 });
    const { claims } = await open();
    const taken = await claims.takeDue({ limit: 9 });
    expect(taken).toHaveLength(2);
    const held = new Map(taken.filter(({ monitor }) => monitor === running).map((one) => [one.monitor, one.lease]));
    await claims.renew(held);
    expect(await claims.takeDue({ limit: 9 })).toEqual([]);
    await claims.renew(held);
    expect(await claims.takeDue({ limit: 9 })).toMatchObject([{ monitor: lost }]);
  });
});
