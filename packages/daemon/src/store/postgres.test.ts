import { CompiledQuery, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { projectRow } from '../testing/rows.ts';
import { inOneTrip } from './prepared.ts';
import type { Store } from './store.ts';

const { open } = databases.find(({ name }) => name === 'postgres')!;

describe('the store on PostgreSQL', () => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    store = database.store;
  });
  afterEach(() => database.dispose());

  it('reports that the connection was lost, and connects again', async () => {
    const other = await database.openAnother();
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const lost = store.write(async (trx) => {
      await cut.execute(other.db);
      await trx.insertInto('purge').values({ monitor: 1 }).execute();
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    await store.db.insertInto('purge').values({ monitor: 2 }).execute();
    expect(await store.db.selectFrom('purge').selectAll().execute()).toMatchObject([{ monitor: 2 }]);
  });

  it('loses no update when several transactions read a row before any of them changes it', async () => {
    await store.db.insertInto('project').values(projectRow('a')).execute();
    const another = await database.openAnother();
    const increment = (from: Store) =>
      from.write(async (trx) => {
        const row = await trx.selectFrom('project').select('updated_at').executeTakeFirstOrThrow();
        await trx
          .updateTable('project')
          .set({ updated_at: row.updated_at + 1 })
          .execute();
      });
    await Promise.all([store, another, store, another].map(increment));
    expect(await store.db.selectFrom('project').select('updated_at').execute()).toEqual([{ updated_at: 4 }]);
  });

  it('runs each transaction of an owner only once, although all of these transactions change one row', async () => {
    await store.db.insertInto('project').values(projectRow('a')).execute();
    let runs = 0;
    const increment = () =>
      store.write(
        async (trx) => {
          runs++;
          const row = await trx.selectFrom('project').select('updated_at').executeTakeFirstOrThrow();
          await trx
            .updateTable('project')
            .set({ updated_at: row.updated_at + 1 })
            .execute();
        },
        { owner: 'a' },
      );
    await Promise.all(Array.from({ length: 60 }, increment));
    expect(await store.db.selectFrom('project').select('updated_at').execute()).toEqual([{ updated_at: 60 }]);
    expect(runs).toBe(60);
  });

  it('runs a transaction again after a conflict with another transaction', async () => {
    await store.db
      .insertInto('project')
      .values([projectRow('a'), projectRow('b')])
      .execute();
    let runs = 0;
    let met = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const touch = (first: string, second: string) =>
      store.write(async (trx) => {
        runs++;
        const add = (id: string) =>
          trx
            .updateTable('project')
            .set(({ eb }) => ({ updated_at: eb('updated_at', '+', 1) }))
            .where('id', '=', id)
            .execute();
        await add(first);
        if (++met === 2) meet();
        await both;
        await add(second);
      });
    await Promise.all([touch('a', 'b'), touch('b', 'a')]);
    // On a busy machine the second run may begin before the other transaction commits, and conflict again.
    expect(runs).toBeGreaterThanOrEqual(3);
    const rows = await store.db.selectFrom('project').select('updated_at').execute();
    expect(rows).toEqual([{ updated_at: 2 }, { updated_at: 2 }]);
  });

  it.each([true, false])(
    'runs a transaction with `durable: %s` again if a statement in a shared round trip conflicts',
    async (durable) => {
      let runs = 0;
      const answers = await store.write(
        (trx) =>
          inOneTrip(store, trx, (trip) => {
            const raised = runs++ === 0 ? "raise exception using errcode = '40001'" : 'null';
            const first = trip.executeQuery(CompiledQuery.raw(`do $$ begin ${raised}; end $$`));
            const second = trip.executeQuery(CompiledQuery.raw('select 1 as one'));
            // The caller gets the second answer first, as if the first statement took longer.
            const late = async () => {
              await Promise.allSettled([first, second]);
              return first;
            };
            return Promise.all([late(), second]);
          }),
        { durable },
      );
      expect(runs).toBe(2);
      expect(answers[1].rows).toEqual([{ one: 1 }]);
    },
  );
});
