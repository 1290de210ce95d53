import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { fillTimes, instance, now } from '../testing/fill-times.ts';
import { moveTimeline } from './move-timeline.ts';

const hour = 3_600_000;

/** The columns whose times decide how long something waits. Other times say when something happened. */
const waits = {
  monitor_state: [
    'rolled_up_until',
    'watched_since',
    'unobserved_since',
    'ping_due_at',
    'silence_review_at',
    'run_started_at',
  ],
  schedule: ['next_at', 'lease_until'],
  delivery: ['next_at', 'tried_since', 'lease_until'],
  channel: ['wait_until', 'code_until'],
  message_budget: ['full_at'],
  address_codes: ['latest_at', 'second_at', 'third_at'],
  alert: ['remind_at'],
  paging_incident: ['next_at', 'tried_since'],
  domain_registration: ['next_at'],
  status_page: ['domain_check_at'],
  presence: ['alive_at', 'started_at'],
  probe: ['seen_at', 'failed_at'],
  region: ['seen_at', 'silent_since', 'retired_at'],
} satisfies { [T in keyof Tables]?: (keyof Tables[T])[] };
/** Columns with the time of a past event. Such a time moves only if it would be in the future after the step. */
const past = {
  monitor_state: ['last_ping_at', 'last_checked_at'],
  delivery: ['tried_at'],
  probe: ['first_seen_at', 'applied_at'],
} satisfies { [T in keyof Tables]?: (keyof Tables[T])[] };
type Table = keyof typeof waits;
const tables = Object.keys(waits) as Table[];

describe.each(databases)('a step of the clock on $name', ({ open }) => {
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await open();
    ({ store } = database);
  });
  afterEach(() => database.dispose());

  const readAll = async () => {
    const found = {} as Record<Table, Record<string, unknown>[]>;
    for (const table of tables) found[table] = await store.db.selectFrom(table).selectAll().execute();
    return found;
  };
  const sorted = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  it.each([
    [2 * hour, 502],
    [-hour, 3],
  ])(
    'a step of %i ms moves times that decide how long something waits, and keeps times of past events (%i monitors)',
    async (byMs, count) => {
      await fillTimes(store, count);
      const before = await readAll();
      const clock = createFakeClock(now);
      await moveTimeline(store, { instance, from: now, byMs }, clock);
      expect(clock.steppedMs()).toBe(byMs);

      const moved = (row: Record<string, unknown>, table: Table) => {
        const after = { ...row };
        for (const column of waits[table]) {
          // On SQLite the daemon uses a schedule in memory, so these rows do not change.
          if (table === 'schedule' && store.dialect.exclusive) continue;
          if (table === 'delivery' && row['status'] !== 'pending') continue;
          if (typeof row[column] === 'number' && !(column.endsWith('_until') && row[column] === 0))
            after[column] = row[column] + byMs;
        }
        for (const column of (past as Record<string, string[]>)[table] ?? []) {
          if (table === 'delivery' && row['alert'] === 2) continue;
          if (typeof row[column] === 'number' && row[column] > now + byMs) after[column] = row[column] + byMs;
        }
        if (typeof row['regions'] === 'string')
          after['regions'] = row['regions'].replaceAll(/\d{10,}/g, (at) => String(Number(at) + byMs));
        return after;
      };
      const found = await readAll();
      for (const table of tables)
        expect(sorted(found[table])).toEqual(sorted(before[table].map((row) => moved(row, table))));
    },
  );

  it('a step does not change rows that another running daemon also writes', async () => {
    await fillTimes(store);
    const other = { instance: 'serve:far', region: 2, started_at: now - hour, alive_at: now - 5000 };
    await store.db.insertInto('presence').values(other).execute();
    const before = await readAll();
    await moveTimeline(store, { instance, from: now, byMs: hour }, createFakeClock(now));
    const found = await readAll();
    const textOf = (rows: Record<string, unknown>[]) => JSON.stringify(sorted(rows));
    const changed = tables.filter((table) => textOf(found[table]) !== textOf(before[table]));
    expect(changed).toEqual(['presence']);
    expect(found.presence).toContainEqual(expect.objectContaining(other));
  });

  it.each([
    [
      'a step moves times that decide a wait if the last sign of life of the other daemon is 11 s old',
      now - 11_000,
      true,
    ],
    [
      'a step keeps times that decide a wait if the other daemon is alive by the clock before the step',
      now + 9000,
      false,
    ],
    [
      'a step keeps times that decide a wait if the other daemon is alive by the clock after the step',
      now + hour - 9000,
      false,
    ],
  ])('%s', async (_, alive_at, alone) => {
    await fillTimes(store);
    await store.db.insertInto('presence').values({ instance: 'other', region: 2, started_at: 0, alive_at }).execute();
    await moveTimeline(store, { instance, from: now, byMs: hour }, createFakeClock(now));
    const [state] = await store.db.selectFrom('monitor_state').select('ping_due_at').limit(1).execute();
    expect(state!.ping_due_at).toBe(now + 59_000 + (alone ? hour : 0));
  });

  it('a step moves the clock once if the transaction runs twice, and not at all if the transaction fails', async () => {
    await fillTimes(store);
    const before = await readAll();
    const clock = createFakeClock(now);
    let failures = 1;
    /** A store whose transactions do their work and then fail, like a commit with a conflict. */
    const failing: Store = {
      ...store,
      write: async (work, options) => {
        for (;;) {
          try {
            return await store.write(async (trx) => {
              const done = await work(trx);
              if (failures-- > 0) throw new Error('met another');
              return done;
            }, options);
          } catch (error) {
            if (failures > 0) throw error;
          }
        }
      },
    };
    failures = 2;
    await store.db.updateTable('monitor_state').set({ rolled_up_until: now }).execute();
    // The time until now is rolled up before the clock steps. If the rollup fails, the clock and the stored times do
    // not change.
    await expect(moveTimeline(failing, { instance, from: now, byMs: hour }, clock)).rejects.toThrow('met another');
    expect([clock.steppedMs(), clock.now()]).toEqual([0, now]);
    expect(await readAll()).toEqual(before);

    const again: Store = {
      ...store,
      write: (work, options) => store.write(async (trx) => (await work(trx), work(trx)), options),
    };
    await store.db.deleteFrom('monitor').execute();
    await moveTimeline(again, { instance, from: now, byMs: hour }, clock);
    expect(clock.steppedMs()).toBe(hour);

    const refused: Store = {
      ...store,
      write: (work, options) =>
        store.write(async (trx) => {
          await work(trx);
          throw new Error('disk full');
        }, options),
    };
    await expect(moveTimeline(refused, { instance, from: now + hour, byMs: hour }, clock)).rejects.toThrow('disk full');
    expect([clock.steppedMs(), clock.now()]).toEqual([hour, now + hour]);
  });
});
