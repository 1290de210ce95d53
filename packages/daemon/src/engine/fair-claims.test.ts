import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { createDueSchedule } from '../core/due-schedule.ts';
import { createCheckSlots } from './check-slots.ts';
import type { Claims } from './claims.ts';
import { createFairClaims } from './fair-claims.ts';
import { createMemoryClaims } from './memory-claims.ts';
import { createSqlClaims } from './sql-claims.ts';

const begun = Date.UTC(2026, 5, 1);
const greedy = 600;

describe.each(databases)('claims by project on $name', ({ open }) => {
  let database: TestDatabase;
  let clock: FakeClock;

  beforeEach(async () => {
    database = await open();
    clock = createFakeClock(begun);
    const { db } = database.store;
    const monitors = Array.from({ length: greedy + 10 }, (_, at) => ({
      project: at < greedy ? 'greedy' : `other${at - greedy}`,
      seq: at + 1,
    }));
    const projects = [...new Set(monitors.map(({ project }) => project))];
    await db
      .insertInto('project')
      .values(projects.map((id) => ({ ...projectRow(id), api_key: id })))
      .execute();
    await db
      .insertInto('monitor')
      .values(monitors.map(({ project, seq }) => monitorRow(`mon_${seq}`, project)))
      .execute();
    // The checks of the greedy project have been overdue for an hour. The checks of the other projects become due one
    // after another.
    await db
      .insertInto('schedule')
      .values(
        monitors.map(({ project, seq }) => ({
          monitor: seq,
          region: 1,
          project,
          lease_until: 0,
          next_at: project === 'greedy' ? begun - 3_600_000 : begun + 100 * (seq - greedy),
        })),
      )
      .execute();
  });
  afterEach(() => database.dispose());

  const openClaims = async (): Promise<Claims> => {
    const { store } = database;
    if (!store.dialect.exclusive) return createSqlClaims(store, clock, 1);
    const schedule = createDueSchedule();
    for (const { monitor, project, next_at: nextAt } of await store.db.selectFrom('schedule').selectAll().execute())
      schedule.set({ monitor, project, generation: 1, nextAt });
    const update = async () => {};
    return createMemoryClaims({ clock, region: 1, schedule, update, observingSince: () => 0 });
  };

  it('the checker claims the checks of other projects on time, even while one project has more due checks than its share', async () => {
    const claims = await openClaims();
    const slots = createCheckSlots({ maxChecks: () => 200 });
    const fair = createFairClaims({ clock, claims, slots });
    const late: number[] = [];
    for (let look = 0; look < 70; look++) {
      const { claimed } = await fair.take();
      for (const { project, next_at: due } of claimed) {
        slots.begin(project);
        fair.charge(project, 1);
        if (project !== 'greedy') late.push(clock.now() - due);
      }
      await clock.advance(20);
    }
    expect(late).toHaveLength(10);
    expect(Math.max(...late)).toBeLessThanOrEqual(60);
    // The greedy project never uses more slots than it leaves free.
    expect(slots.inFlight('greedy')).toBe(100);
    expect(fair.crowded().get('greedy')).toBeGreaterThanOrEqual(3_600_000);
    expect(fair.latenessOfOthers()).toBeLessThan(100);
    expect(await claims.waiting('greedy')).toBe(greedy - 100);

    // The greedy project uses its freed slots again, and its backlog ends.
    for (let look = 0; look < 200 && fair.crowded().size > 0; look++) {
      while (slots.inFlight('greedy') > 0) slots.end('greedy');
      for (const { project } of (await fair.take()).claimed) slots.begin(project);
      await clock.advance(20);
    }
    expect(await claims.waiting('greedy')).toBe(0);
    expect(fair.crowded().size).toBe(0);
  });
});
