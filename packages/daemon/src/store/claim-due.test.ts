import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { claimDue } from './claim-due.ts';
import type { Store } from './store.ts';

describe('`claimDue` on PostgreSQL', () => {
  const { open } = databases.find(({ name }) => name === 'postgres')!;
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await open();
    store = database.store;
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await store.db
      .insertInto('monitor')
      .values(Array.from({ length: 40 }, (_, at) => monitorRow(`mon_${at}`, 'prj')))
      .execute();
  });
  afterEach(() => database.dispose());

  const plan = async (
    rows: { monitor: number; next_at: number; lease_until?: number; region?: number; project?: string }[],
  ) => {
    await store.db.deleteFrom('schedule').execute();
    await store.db
      .insertInto('schedule')
      .values(rows.map((row) => ({ region: 1, lease_until: 0, project: 'prj', ...row })))
      .execute();
  };
  const claim = (from: Store, limit: number, now = 100, region = 1) =>
    from.write((trx) => claimDue(trx, { region, now, leaseUntil: now + 50, limit }));

  it('claims the checks that have been due longest, and no more than requested', async () => {
    await plan([
      { monitor: 1, next_at: 30, project: 'prj' },
      { monitor: 2, next_at: 10, project: 'prj' },
      { monitor: 3, next_at: 101, project: 'prj' },
      { monitor: 4, next_at: 20, project: 'prj' },
    ]);
    expect(await claim(store, 2)).toMatchObject([
      { monitor: 2, next_at: 10, project: 'prj' },
      { monitor: 4, next_at: 20, project: 'prj' },
    ]);
    expect(await claim(store, 9)).toMatchObject([{ monitor: 1, next_at: 30, project: 'prj' }]);
    expect(await claim(store, 9)).toEqual([]);
  });

  it('claims rows whose lease has ended', async () => {
    await plan([{ monitor: 1, next_at: 30, lease_until: 150 }]);
    expect(await claim(store, 9, 149)).toEqual([]);
    expect(await claim(store, 9, 150)).toMatchObject([{ monitor: 1, next_at: 30, project: 'prj' }]);
  });

  it('claims no checks of other regions', async () => {
    await plan([
      { monitor: 1, next_at: 1, region: 1 },
      { monitor: 1, next_at: 2, region: 2 },
    ]);
    expect(await claim(store, 9, 100, 2)).toMatchObject([{ monitor: 1, next_at: 2, project: 'prj' }]);
    expect(await claim(store, 9, 100, 1)).toMatchObject([{ monitor: 1, next_at: 1, project: 'prj' }]);
  });

  it('claims only the checks of the given projects that became due after the given time', async () => {
    await plan([
      { monitor: 1, next_at: 10, project: 'greedy' },
      { monitor: 2, next_at: 20 },
      { monitor: 3, next_at: 30, project: 'greedy' },
      { monitor: 4, next_at: 40 },
    ]);
    const request = { region: 1, now: 100, leaseUntil: 150, limit: 9 };
    const take = (more: object) => store.write((trx) => claimDue(trx, { ...request, ...more }));
    expect((await take({ of: { except: ['greedy'] }, after: 20 })).map(({ monitor }) => monitor)).toEqual([4]);
    expect((await take({ of: { except: ['greedy'] } })).map(({ monitor }) => monitor)).toEqual([2]);
    expect((await take({ of: { project: 'greedy' }, limit: 1 })).map(({ monitor }) => monitor)).toEqual([1]);
    expect((await take({ of: { except: [] } })).map(({ monitor }) => monitor)).toEqual([3]);
  });

  it('gives each due row to only one of many callers', async () => {
    const others = [store, await database.openAnother(), await database.openAnother()];
    const due = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    const limits = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(due, limits, fc.integer({ min: 0, max: 200 }), async (monitors, limits, now) => {
        await plan(monitors.map((monitor) => ({ monitor, next_at: monitor * 5 })));
        const answers = await Promise.all(limits.map((limit, at) => claim(others[at % 3]!, limit, now)));
        const taken = answers.flat().map(({ monitor }) => monitor);
        expect(new Set(taken).size).toBe(taken.length);
        expect(answers.every((rows, at) => rows.length <= limits[at]!)).toBe(true);
        // One more claim returns exactly the remaining due rows.
        const rest = (await claim(store, 100, now)).map(({ monitor }) => monitor);
        const expected = monitors.filter((monitor) => monitor * 5 <= now);
        expect([...taken, ...rest].toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
      }),
      { numRuns: 25 },
    );
  });
});
