import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { servedSince } from './other-nodes.ts';

describe.each(databases)('the other nodes on $name', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.dispose());

  test('`servedSince` returns the time since which the other running nodes with the role `api` have received results', async () => {
    const { store } = database;
    const add = (instance: string, startedAt: number, aliveAt: number, roles: string, endedAt: number | null = null) =>
      store.db
        .insertInto('presence')
        .values({ instance, region: 1, started_at: startedAt, alive_at: aliveAt, roles, ended_at: endedAt })
        .execute();
    expect(await servedSince(store, 'own', 100_000)).toBe(100_000);
    await add('own', 1000, 100_000, 'api');
    await add('checker', 2000, 100_000, 'checker');
    await add('dead', 3000, 90_000, 'api');
    await add('ended', 4000, 99_500, 'api', 99_900);
    expect(await servedSince(store, 'own', 100_000)).toBe(100_000);
    await add('second', 60_000, 99_500, 'api,checker');
    await add('first', 50_000, 99_900, 'api');
    expect(await servedSince(store, 'own', 100_000)).toBe(50_000);
    await store.db.updateTable('presence').set({ absences: '{"receiving":[{"from":55000,"to":58000}]}' }).execute();
    expect(await servedSince(store, 'own', 100_000)).toBe(58_000);
  });
});
