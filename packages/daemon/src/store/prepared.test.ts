import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { prepare, prepareForRows } from './prepared.ts';

describe.each(databases)('a prepared query on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  it('runs with the parameters of each call, even if the query has constants or uses a parameter twice', async () => {
    const { store } = database;
    const insert = prepare(store, (db, p: { at: number; code: number }) =>
      db.insertInto('result').values({ monitor: 1, at: p.at, region: 2, code: p.code, tenths: p.at }),
    );
    await store.write(async (trx) => {
      await insert(trx, { at: 10, code: 5 });
      await insert(trx, { at: 20, code: 6 });
    });
    const find = prepare(store, (db, p: { from: number; limit: number }) =>
      db
        .selectFrom('result')
        .select(['at', 'code', 'tenths', 'region'])
        .where('at', '>=', p.from)
        .where('tenths', '>=', p.from)
        .where('region', '=', 2)
        .orderBy('at')
        .limit(p.limit),
    );
    const first = { at: 10, code: 5, tenths: 10, region: 2 };
    const second = { at: 20, code: 6, tenths: 20, region: 2 };
    expect(await find(store.db, { from: 0, limit: 9 })).toEqual([first, second]);
    expect(await find(store.db, { from: 0, limit: 1 })).toEqual([first]);
    expect(await find(store.db, { from: 11, limit: 9 })).toEqual([second]);
  });

  it('sees only committed rows if it runs outside a transaction, even while a transaction is open', async () => {
    const { store } = database;
    const insert = prepare(store, (db, p: { monitor: number }) =>
      db.insertInto('purge').values({ monitor: p.monitor }),
    );
    const all = prepare(store, (db) => db.selectFrom('purge').select('monitor').orderBy('monitor'));
    await store.write((trx) => insert(trx, { monitor: 1 }));
    await store.write(async (trx) => {
      await insert(trx, { monitor: 2 });
      expect(await all(store.db, {})).toEqual([{ monitor: 1 }]);
      expect(await all(trx, {})).toEqual([{ monitor: 1 }, { monitor: 2 }]);
    });
    expect(await all(store.db, {})).toEqual([{ monitor: 1 }, { monitor: 2 }]);
  });

  it('can add to the counts of an existing row, and returns the new counts', async () => {
    const { store } = database;
    const count = prepare(store, (db, p: { hour: number; failed: number }) =>
      db
        .insertInto('check_hour')
        .values({ monitor: 1, hour: p.hour, region: 1, checks: 1, failed: p.failed, tenths_sum: 0 })
        .onConflict((conflict) =>
          conflict.columns(['monitor', 'hour', 'region']).doUpdateSet((on) => ({
            checks: on.eb('check_hour.checks', '+', 1),
            failed: on.eb('check_hour.failed', '+', on.ref('excluded.failed')),
          })),
        )
        .returning(['checks', 'failed']),
    );
    expect(await count(store.db, { hour: 7, failed: 1 })).toEqual([{ checks: 1, failed: 1 }]);
    expect(await count(store.db, { hour: 7, failed: 0 })).toEqual([{ checks: 2, failed: 1 }]);
  });

  it('can insert many rows, join them, or update other rows from them, in one statement', async () => {
    const { store } = database;
    interface Row {
      monitor: number;
      created_at: number;
    }
    const columns = { monitor: 'long', created_at: 'long' } as const;
    const insert = prepareForRows<Row, unknown>(store, columns, (db, given) =>
      db.insertInto('purge').columns(['monitor', 'created_at']).expression(db.selectFrom(given).selectAll()),
    );
    const add = prepareForRows<Row, unknown>(store, columns, (db, given) =>
      db
        .updateTable('purge')
        .from(given)
        .set((set) => ({ created_at: set('purge.created_at', '+', set.ref('given.created_at')) }))
        .whereRef('purge.monitor', '=', 'given.monitor'),
    );
    const find = prepareForRows<Pick<Row, 'monitor'>, Row>(store, { monitor: 'long' }, (db, given) =>
      db.selectFrom(given).innerJoin('purge', 'purge.monitor', 'given.monitor').selectAll('purge'),
    );
    const rows = Array.from({ length: 300 }, (_, at) => ({ monitor: at, created_at: 2 ** 40 + at }));
    await store.write(async (trx) => {
      await insert(trx, rows);
      // The fields of these rows have another order than the columns. The order must make no difference.
      await add(trx, [
        { created_at: 5, monitor: 7 },
        { created_at: 6, monitor: 999 },
      ]);
      await insert(trx, []);
    });
    const found = await find(store.db, [{ monitor: 7 }, { monitor: 999 }, { monitor: 299 }]);
    expect(found.toSorted((a, b) => a.monitor - b.monitor)).toEqual([
      { monitor: 7, created_at: 2 ** 40 + 12 },
      { monitor: 299, created_at: 2 ** 40 + 299 },
    ]);
  });

  it('returns the values of given rows unchanged: any text, null, and numbers of either sign', async () => {
    const { store } = database;
    const rows = [
      '"quoted" \\ and\nbroken\ttwice',
      '\\u0041 {"a":["\\n"]}',
      'ünïcode 🙂 \u2028',
      '12',
      'null',
      '',
      ' ',
      null,
    ].map((text, at) => ({ text, number: at % 2 ? 2 ** 53 - 1 - at : -1 - at }));
    interface Row {
      text: string | null;
      number: number;
    }
    const read = prepareForRows<Row, Row>(store, { text: 'text', number: 'long' }, (db, given) =>
      db.selectFrom(given).selectAll(),
    );
    expect(await read(store.db, rows)).toEqual(rows);
  });
});
