import { afterAll, beforeAll, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { giveLeaseBack, takeLease } from './lease.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await databases.find(({ name }) => name === 'postgres')!.open();
});
afterAll(() => database.dispose());

const take = (holder: string, now: number) =>
  takeLease(database.store, { name: 'work', holder, now, until: now + 100 });

it('if many nodes try to take a lease at once, only one gets it', async () => {
  const taken = await Promise.all(Array.from({ length: 8 }, (_, at) => take(`node ${at}`, 0)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await database.store.db.deleteFrom('lease').execute();
});

it('the holder can renew a lease, and other nodes can take it after it has ended or was given back', async () => {
  expect([await take('a', 0), await take('b', 99), await take('a', 99), await take('b', 198)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(await take('b', 199)).toBe(true);
  await giveLeaseBack(database.store, { name: 'work', holder: 'a' });
  expect(await take('a', 200)).toBe(false);
  await giveLeaseBack(database.store, { name: 'work', holder: 'b' });
  expect(await take('a', 200)).toBe(true);
});

it('other nodes can take a lease whose holder had a clock that was ahead', async () => {
  expect([await take('a', 10_000), await take('b', 300)]).toEqual([true, true]);
});
