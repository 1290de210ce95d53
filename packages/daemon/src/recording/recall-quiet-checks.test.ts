import { expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { recallQuietChecks } from './recall-quiet-checks.ts';

test('a start reads the times of the newest checks first, and returns the span of time whose results it did not read', async () => {
  const database = await databases[0]!.open();
  try {
    const { db } = database.store;
    await db.insertInto('project').values(projectRow('prj')).execute();
    await db.insertInto('monitor').values(monitorRow('mon', 'prj')).execute();
    const { seq: monitor } = await db.selectFrom('monitor').select('seq').executeTakeFirstOrThrow();
    const seconds = [1000, 1010, 1020, 1030];
    await db
      .insertInto('result_slot')
      .values(seconds.map((slot) => ({ slot })))
      .execute();
    const rows = seconds.map((slot) => ({ slot, monitor, region: 1, at: slot * 1000 + 500, code: 0, tenths: 1 }));
    await db.insertInto('recent_result').values(rows).execute();
    const recall = async (maxResults: number) => {
      const times: number[] = [];
      const leftOut = await recallQuietChecks(database.store, { learn: ({ at }) => void times.push(at) }, maxResults);
      return { times, leftOut };
    };
    expect(await recall(100)).toEqual({ times: [1_030_500, 1_020_500, 1_010_500, 1_000_500], leftOut: null });
    expect(await recall(2)).toEqual({ times: [1_030_500, 1_020_500], leftOut: { from: 1_000_000, to: 1_020_000 } });
    expect(await recall(4)).toMatchObject({ leftOut: null });
  } finally {
    await database.dispose();
  }
});
