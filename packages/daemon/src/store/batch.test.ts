import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../errors.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { type Batch, type BatchOptions, createBatch } from './batch.ts';
import type { Store } from './store.ts';

describe.each(databases)('a batch on $name', ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    store = database.store;
  });
  afterEach(() => database.dispose());

  const stored = async () =>
    (await store.db.selectFrom('purge').select('monitor').orderBy('monitor').execute()).map(({ monitor }) => monitor);

  /** Returns two things: a batch that inserts numbers, and the items of each of its transactions. */
  const createInserts = (limits?: Pick<BatchOptions<number, string>, 'maxItems' | 'maxWaiting' | 'longWait'>) => {
    const groups: number[][] = [];
    const batch = createBatch(
      store,
      async (trx, items: number[]) => {
        groups.push(items);
        for (const monitor of items) await trx.insertInto('purge').values({ monitor }).execute();
        return items.map((item) => `stored ${item}`);
      },
      limits,
    );
    return { batch, groups };
  };

  it('commits all items of one turn of the event loop in one transaction, and returns the answer of each item', async () => {
    const { batch, groups } = createInserts();
    const answers = await Promise.all([3, 1, 2].map((item) => batch.submit(item)));
    expect(answers).toEqual(['stored 3', 'stored 1', 'stored 2']);
    expect(groups).toEqual([[3, 1, 2]]);
  });

  it('returns an answer only after the commit, so that another reader sees the row', async () => {
    const { batch } = createInserts({ maxItems: 2 });
    const reader = await database.openAnother();
    const seen = await Promise.all(
      [1, 2, 3, 4, 5].map(async (item) => {
        await batch.submit(item);
        return reader.db.selectFrom('purge').select('monitor').where('monitor', '=', item).executeTakeFirst();
      }),
    );
    expect(seen).toEqual([1, 2, 3, 4, 5].map((monitor) => ({ monitor })));
  });

  it('gathers items while a transaction runs, and limits how many items one transaction has', async () => {
    const { batch, groups } = createInserts({ maxItems: 3 });
    const later: Promise<string>[] = [];
    const first = batch.submit(0).then(() => {
      for (const item of [1, 2, 3, 4, 5]) later.push(batch.submit(item));
    });
    await first;
    await Promise.all(later);
    expect(groups).toEqual([[0], [1, 2, 3], [4, 5]]);
  });

  it('waits for up to two more turns of the event loop while many items arrive', async () => {
    const { batch, groups } = createInserts();
    const asked: Promise<string>[] = [];
    const submit = (from: number, count: number) => {
      for (let item = from; item < from + count; item++) asked.push(batch.submit(item));
    };
    for (const [from, count] of [
      [0, 8],
      [10, 8],
      [20, 8],
    ] as const) {
      submit(from, count);
      await nextTurn();
    }
    // The batch has waited for the maximum number of turns, so these items go into the next transaction.
    submit(30, 7);
    await Promise.all(asked);
    expect(groups.map((items) => items.length)).toEqual([24, 7]);

    submit(40, 7);
    await nextTurn();
    submit(50, 1);
    await Promise.all(asked);
    expect(groups.map((items) => items.length)).toEqual([24, 7, 7, 1]);
  });

  it('commits the waiting items as soon as an item arrives that may not wait', async () => {
    const { batch, groups } = createInserts({ longWait: { mayWait: (item) => item < 10, gatherMs: 3_600_000 } });
    const answers = [batch.submit(1), batch.submit(2)];
    await nextTurn();
    await nextTurn();
    expect(groups).toEqual([]);
    answers.push(batch.submit(10));
    expect(await Promise.all(answers)).toEqual(['stored 1', 'stored 2', 'stored 10']);
    expect(groups).toEqual([[1, 2, 10]]);
  });

  it.each([
    ['when their time is over', 1, async () => {}],
    ['when the batch is full', 3_600_000, (batch) => batch.submit(3)],
    ['when `settled` is called', 3_600_000, (batch) => batch.settled()],
    ['when it closes', 3_600_000, (batch) => batch.close()],
  ] as [string, number, (batch: Batch<number, string>) => Promise<unknown>][])(
    'commits the waiting items %s',
    async (_, waitMs, end) => {
      const { batch } = createInserts({ maxItems: 3, longWait: { mayWait: () => true, gatherMs: waitMs } });
      const answers = [batch.submit(1), batch.submit(2)];
      await end(batch);
      expect(await Promise.all(answers)).toEqual(['stored 1', 'stored 2']);
    },
  );

  it('commits the items that a partial commit left over, without waiting for other items', async () => {
    const settled = Promise.withResolvers<void>();
    const batch: Batch<number, number> = createBatch(
      store,
      async (_, items: number[]) => {
        settled.resolve(batch.settled());
        return items.slice(0, 2);
      },
      { maxItems: 5, inParts: true, longWait: { mayWait: () => true, gatherMs: 3_600_000 } },
    );
    const answers = [1, 2, 3, 4, 5].map((item) => batch.submit(item));
    await settled.promise;
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
  });

  it('rejects only the item that the database refuses, and stores all other items', async () => {
    await store.db.insertInto('purge').values({ monitor: 4 }).execute();
    const { batch } = createInserts();
    const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((item) => batch.submit(item)));
    expect(answers.map(({ status }) => status)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((item) => (item === 4 ? 'rejected' : 'fulfilled')),
    );
    const [refusal] = answers.filter((answer) => answer.status === 'rejected');
    expect(store.dialect.isUniqueViolation(refusal?.reason)).toBe(true);
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('rejects a whole batch at once if the store accepts no writes, and continues with the next batch', async () => {
    const refusal = new ServiceError('unavailable', 'The disk is full.');
    let full = true;
    let asked = 0;
    const batch = createBatch(
      {
        write(work) {
          asked++;
          return full ? Promise.reject(refusal) : store.write(work);
        },
      },
      async (_, items: number[]) => items,
    );
    const answers = await Promise.allSettled([1, 2, 3].map((item) => batch.submit(item)));
    expect(answers).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: refusal })));
    expect(asked).toBe(1);
    full = false;
    expect(await batch.submit(4)).toBe(4);
  });

  /** Returns a batch whose listeners record their calls in `events`, and then run `more`. */
  const createEvents = (more = () => {}) => {
    const events: string[] = [];
    const batch = createBatch(
      store,
      async (trx, items: number[]) => {
        for (const monitor of items) await trx.insertInto('purge').values({ monitor }).execute();
        return items;
      },
      {
        maxWaiting: 3,
        onCommit: (answers) => {
          events.push(`commit ${answers.join(' ')}`);
          more();
        },
        onRefusal: (items) => {
          events.push(`refusal ${items.join(' ')}`);
          more();
        },
      },
    );
    const submit = async (item: number) => {
      await batch.submit(item).then(
        () => events.push(`answer ${item}`),
        () => events.push(`error ${item}`),
      );
    };
    return { events, submit, batch };
  };

  it('calls its listeners before the submitters get their answers or errors', async () => {
    await store.db.insertInto('purge').values({ monitor: 3 }).execute();
    const { events, submit } = createEvents();
    await Promise.all([1, 2, 3, 4].map(submit));
    expect(events).toEqual(['refusal 4', 'error 4', 'commit 1 2', 'answer 1', 'answer 2', 'refusal 3', 'error 3']);
  });

  it('answers every item and continues if a listener throws; the error becomes an uncaught exception', async () => {
    await store.db.insertInto('purge').values({ monitor: 3 }).execute();
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    try {
      const fault = new Error('a listener that throws');
      const { events, submit, batch } = createEvents(() => {
        throw fault;
      });
      process.on('uncaughtException', (error) => events.push(`heard ${error === fault}`));
      await submit(5);
      await nextTurn();
      await Promise.all([1, 2, 3].map(submit));
      await batch.close();
      await nextTurn();
      // The error would end the process, but each item has its answer by then.
      expect(events.slice(0, 3)).toEqual(['commit 5', 'answer 5', 'heard true']);
      expect(events.slice(3).filter((line) => /answer|error/.test(line))).toEqual(['answer 1', 'answer 2', 'error 3']);
      expect(events.filter((line) => line === 'heard true')).toHaveLength(3);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });

  it('refuses items over the limit, and stores the accepted items', async () => {
    const { batch } = createInserts({ maxItems: 2, maxWaiting: 4 });
    const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => batch.submit(item)));
    expect(answers.slice(0, 4).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(answers.slice(4)).toMatchObject([
      { status: 'rejected', reason: { code: 'unavailable' } },
      { status: 'rejected', reason: { code: 'unavailable' } },
    ]);
    expect(await stored()).toEqual([1, 2, 3, 4]);
  });

  it('stores accepted items before it closes, and accepts no items afterwards', async () => {
    const { batch } = createInserts({ maxItems: 1 });
    const taken = [1, 2, 3].map((item) => batch.submit(item));
    await batch.close();
    expect(await stored()).toEqual([1, 2, 3]);
    await expect(batch.submit(4)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all(taken)).toHaveLength(3);
    await batch.close();
  });

  it('stores nothing if `apply` returns fewer answers than items', async () => {
    const batch = createBatch(store, async (trx, items: number[]) => {
      await trx
        .insertInto('purge')
        .values(items.map((monitor) => ({ monitor })))
        .execute();
      return [];
    });
    await expect(batch.submit(1)).rejects.toThrow('A batch of 1 got 0 answers.');
    expect(await stored()).toEqual([]);
  });
});
