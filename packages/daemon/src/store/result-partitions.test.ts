import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { dropPartitions, makePartitions, readPartitions } from './result-partitions.ts';

const postgres = databases.find(({ name }) => name === 'postgres')!;

describe('the partitions of results', () => {
  let database: TestDatabase;
  /** A day that has no partition yet, because the first partition ends a few days after the migration. */
  const today = (Math.floor(Date.now() / dayMs) + 10) * dayMs;

  beforeEach(async () => {
    database = await postgres.open();
  });

  afterEach(() => database.dispose());

  const add = (at: number, region = 1) =>
    database.store.db.insertInto('result').values({ monitor: 1, at, region, code: 0, tenths: 1 }).execute();
  const places = async () => {
    const { rows } = await sql<{ place: string; at: number }>`
      select tableoid::regclass::text as place, at from result order by at`.execute(database.store.db);
    return rows.map(({ place, at }) => [place, at]);
  };
  const days = async () => {
    const partitions = await readPartitions(database.store.db);
    return partitions.map(({ from, until }) => [(from - today) / dayMs, (until - today) / dayMs]);
  };

  it('partitions are made eight days ahead, even if several nodes make them at once', async () => {
    const stores = [database.store, await database.openAnother(), await database.openAnother()];
    await Promise.all(stores.map((store) => makePartitions(store, today, 30)));
    await makePartitions(database.store, today, 30);
    expect(await days()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((day) => [day, day + 1]));
  });

  it('the partitions together accept results of any time', async () => {
    await makePartitions(database.store, today, 30);
    const times = [-5, today - 400 * dayMs, today, today + 8 * dayMs, today + 40_000 * dayMs];
    for (const at of times) await add(at);
    expect(await places()).toEqual([
      ['result_first', times[0]],
      ['result_first', times[1]],
      [`result_${today / dayMs}`, times[2]],
      ['result_other', times[3]],
      ['result_other', times[4]],
    ]);
  });

  it('a new partition gets the rows of its day that were in the default partition', async () => {
    await add(today + 5);
    await makePartitions(database.store, today, 30);
    expect(await places()).toEqual([[`result_${today / dayMs}`, today + 5]]);
  });

  it('if a node with a wrong clock made a partition for later days, partitions are made for the days before and after it', async () => {
    await makePartitions(database.store, today + 4 * dayMs, 100);
    await makePartitions(database.store, today, 100);
    expect(await days()).toEqual([
      [0, 3],
      [3, 4],
      [4, 7],
      [7, 10],
      [10, 13],
    ]);
  });

  it('with a long retention, there are at most 50 partitions, even if the retention changes', async () => {
    await makePartitions(database.store, today, 7);
    for (let day = 0; day <= 1000; day += 5) {
      await makePartitions(database.store, today + day * dayMs, 400);
      await dropPartitions(database.store, today + (day - 400) * dayMs);
    }
    expect((await readPartitions(database.store.db)).length).toBeLessThanOrEqual(50);
  });

  it('a partition is dropped, with the details of its results, when all its results are too old', async () => {
    await makePartitions(database.store, today, 30);
    const times = [today, today + dayMs - 1, today + dayMs];
    for (const at of times) {
      await add(at);
      const detail = { monitor: 1, at, region: 1, error_message: 'No answer.', timings: null };
      await database.store.db.insertInto('result_detail').values(detail).execute();
    }
    await dropPartitions(database.store, today + dayMs - 1);
    expect(await places()).toHaveLength(3);
    await dropPartitions(database.store, today + dayMs);
    expect(await places()).toEqual([[`result_${today / dayMs + 1}`, today + dayMs]]);
    const left = await database.store.db.selectFrom('result_detail').select('at').execute();
    expect(left).toEqual([{ at: today + dayMs }]);
  });

  it('while another session locks the default partition, no partition is made, but results are still stored', async () => {
    const other = await database.openAnother();
    await other.db.transaction().execute(async (trx) => {
      await sql`lock table result_other in row exclusive mode`.execute(trx);
      await expect(makePartitions(database.store, today, 30)).rejects.toThrow(/lock timeout/);
      await add(today + 1);
    });
    expect(await places()).toEqual([['result_other', today + 1]]);
  });

  it('a new partition gets the results that waited while the partition was made', async () => {
    const waiting = async (count: number) => {
      const { rows } = await sql`
        select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
      `.execute(database.store.db);
      expect(rows.length).toBeGreaterThanOrEqual(count);
    };
    const other = await database.openAnother();
    let made = false;
    const make = async () => {
      while (!made)
        try {
          await makePartitions(database.store, today, 30);
          made = true;
        } catch (error) {
          expect(String(error)).toMatch(/lock timeout/);
        }
    };
    const { adding, making } = await other.db.transaction().execute(async (trx) => {
      await sql`lock table result_other in access share mode`.execute(trx);
      const begun = { making: make(), adding: [] as Promise<unknown>[] };
      await vi.waitFor(() => waiting(1), { timeout: 60_000, interval: 10 });
      for (let monitor = 1; monitor <= 5; monitor++)
        begun.adding.push(
          database.store.db
            .insertInto('result')
            .values({ monitor, at: today + 1, region: 1, code: 0, tenths: 1 })
            .execute(),
        );
      await vi.waitFor(() => waiting(2), { timeout: 60_000, interval: 10 });
      return begun;
    });
    await Promise.all([making, ...adding]);
    expect(await places()).toEqual(Array.from({ length: 5 }, () => [`result_${today / dayMs}`, today + 1]));
  });
});
