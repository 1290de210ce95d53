import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import type { Store } from '../store/store.ts';
import { begunAt, createWatchedProject, minute } from '../testing/watched-project.ts';
import { rollUpMonitor } from './roll-up-monitor.ts';
import { rollUpUntil } from './roll-up-until.ts';

const statuses = ['up', 'down', 'pending', 'paused'] as const;
const until = begunAt + 90 * minute;

/**
 * Creates three monitors in each status. For two of the three, `unobserved_since` says since when nothing has checked
 * them.
 */
async function monitorsOf(store: Store): Promise<number[]> {
  const project = await createWatchedProject(store);
  const monitors: number[] = [];
  for (const status of statuses) {
    for (const unobservedAfterMs of [null, 30 * minute, 100 * minute]) {
      const monitor = await project.addMonitor(`${status} ${unobservedAfterMs}`, { interval: 60, regions: [] });
      await store.db
        .updateTable('monitor_state')
        .set({
          status,
          rolled_up_until: begunAt + monitors.length * 7 * minute,
          unobserved_since: unobservedAfterMs === null ? null : begunAt + unobservedAfterMs,
        })
        .where('monitor', '=', monitor)
        .execute();
      monitors.push(monitor);
    }
  }
  return monitors;
}

async function rollupsIn({ db }: Store) {
  return {
    hours: await db.selectFrom('observed_hour').selectAll().orderBy('monitor').orderBy('period').execute(),
    days: await db.selectFrom('observed_day').selectAll().orderBy('monitor').orderBy('period').execute(),
    until: await db.selectFrom('monitor_state').select(['monitor', 'rolled_up_until']).orderBy('monitor').execute(),
  };
}

describe.each(databases)('the time of many monitors on $name', ({ open }) => {
  test('the time of many monitors leads to the same counts whether monitors are rolled up together or one by one', async () => {
    const [one, many] = [await open(), await open()];
    try {
      const monitors = await monitorsOf(one.store);
      expect(await monitorsOf(many.store)).toEqual(monitors);
      for (const monitor of monitors) await one.store.write((trx) => rollUpMonitor(trx, monitor, until));
      await many.store.write((trx) => rollUpUntil(many.store, trx, monitors, until));
      const rollups = await rollupsIn(many.store);
      expect(rollups.hours.length).toBeGreaterThan(5);
      expect(rollups).toEqual(await rollupsIn(one.store));
      await many.store.write((trx) => rollUpUntil(many.store, trx, monitors, until));
      expect(await rollupsIn(many.store)).toEqual(rollups);
    } finally {
      await Promise.all([one.dispose(), many.dispose()]);
    }
  });
});

test('two nodes that roll up the same monitors do not wait for each other', async () => {
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  try {
    const { store } = database;
    const other = await database.openAnother();
    const monitors = await monitorsOf(store);
    const [held, ...free] = monitors;
    await other.write(async (trx) => {
      await sql`select 1 from monitor_state where monitor = ${held} for update`.execute(trx);
      await store.write((mine) => rollUpUntil(store, mine, monitors, until), { durable: false });
    });
    const { until: times } = await rollupsIn(store);
    const rolledUpUntil = (monitor: number) => times.find((row) => row.monitor === monitor)!.rolled_up_until;
    expect(rolledUpUntil(held!)).toBe(begunAt);
    expect(rolledUpUntil(free[2]!)).toBe(until);
  } finally {
    await database.dispose();
  }
});
