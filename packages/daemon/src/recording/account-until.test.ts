import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import type { Store } from '../store/store.ts';
import { begun, createWatchedProject, minute } from '../testing/watched-project.ts';
import { accountMonitor } from './account-monitor.ts';
import { accountUntil } from './account-until.ts';

const statuses = ['up', 'down', 'pending', 'paused'] as const;
const until = begun + 90 * minute;

/** Monitors in each status, one of two with time in which nothing checked them. */
async function monitorsOf(store: Store): Promise<number[]> {
  const project = await createWatchedProject(store);
  const monitors: number[] = [];
  for (const status of statuses) {
    for (const blindAfterMs of [null, 30 * minute, 100 * minute]) {
      const monitor = await project.addMonitor(`${status} ${blindAfterMs}`, { interval: 60, regions: [] });
      await store.db
        .updateTable('monitor_state')
        .set({
          status,
          accounted_until: begun + monitors.length * 7 * minute,
          blind_since: blindAfterMs === null ? null : begun + blindAfterMs,
        })
        .where('monitor', '=', monitor)
        .execute();
      monitors.push(monitor);
    }
  }
  return monitors;
}

async function accountedIn({ db }: Store) {
  return {
    hours: await db.selectFrom('observed_hour').selectAll().orderBy('monitor').orderBy('period').execute(),
    days: await db.selectFrom('observed_day').selectAll().orderBy('monitor').orderBy('period').execute(),
    until: await db.selectFrom('monitor_state').select(['monitor', 'accounted_until']).orderBy('monitor').execute(),
  };
}

describe.each(databases)('the time of many monitors on $name', ({ open }) => {
  test('is accounted like that of each one', async () => {
    const [one, many] = [await open(), await open()];
    try {
      const monitors = await monitorsOf(one.store);
      expect(await monitorsOf(many.store)).toEqual(monitors);
      for (const monitor of monitors) await one.store.write((trx) => accountMonitor(trx, monitor, until));
      await many.store.write((trx) => accountUntil(many.store, trx, monitors, until));
      const accounted = await accountedIn(many.store);
      expect(accounted.hours.length).toBeGreaterThan(5);
      expect(accounted).toEqual(await accountedIn(one.store));
      await many.store.write((trx) => accountUntil(many.store, trx, monitors, until));
      expect(await accountedIn(many.store)).toEqual(accounted);
    } finally {
      await Promise.all([one.dispose(), many.dispose()]);
    }
  });
});

test('two nodes that account the same monitors do not wait for each other', async () => {
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  try {
    const { store } = database;
    const other = await database.openAnother();
    const monitors = await monitorsOf(store);
    const [held, ...free] = monitors;
    await other.write(async (trx) => {
      await sql`select 1 from monitor_state where monitor = ${held} for update`.execute(trx);
      await store.write((mine) => accountUntil(store, mine, monitors, until), { durable: false });
    });
    const { until: times } = await accountedIn(store);
    const accounted = (monitor: number) => times.find((row) => row.monitor === monitor)!.accounted_until;
    expect(accounted(held!)).toBe(begun);
    expect(accounted(free[2]!)).toBe(until);
  } finally {
    await database.dispose();
  }
});
