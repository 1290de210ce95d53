import { expect, onTestFinished, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { undoMigrations } from '../testing/undo-migrations.ts';
import { isRetired, regionNumber } from './regions.ts';

test.each(databases)('an upgrade moves `naming_count` out of `retired_at`, on $name', async ({ open }) => {
  const database = await open();
  onTestFinished(() => database.dispose());
  const { db } = database.store;
  const rows = [
    { name: 'named-once', seen_at: 0, retired_at: null },
    { name: 'named-often', seen_at: 0, retired_at: -3 },
    { name: 'served-later', seen_at: 5000, retired_at: -2 },
    { name: 'retired', seen_at: 5000, retired_at: 5000 },
  ];
  await db.insertInto('region').values(rows).execute();
  await undoMigrations(db, '0052-named-regions');

  const upgraded = await database.openAnother();
  const read = () =>
    upgraded.db.selectFrom('region').select(['name', 'seen_at', 'retired_at', 'naming_count']).orderBy('id');
  const after = await read().execute();
  expect(after).toEqual([
    { ...rows[0], naming_count: 0 },
    { ...rows[1], retired_at: null, naming_count: 3 },
    { ...rows[2], retired_at: null, naming_count: 2 },
    { ...rows[3], naming_count: 0 },
  ]);
  expect(after.filter(isRetired).map(({ name }) => name)).toEqual(['retired']);

  await upgraded.write((trx) => regionNumber(trx, 'named-often'));
  await upgraded.write((trx) => regionNumber(trx, 'served-later'));
  expect((await read().execute()).map(({ naming_count: count }) => count)).toEqual([0, 4, 2, 0]);
});
