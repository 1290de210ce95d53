import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { dayMs } from '../core/uptime.ts';
import { readPartitions } from '../store/result-partitions.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { findHungLoops, watchedFailing } from './hung-loops.ts';
import { startPartitions } from './partitions.ts';

const postgres = databases.find(({ name }) => name === 'postgres')!;

test('if partitions cannot be created, the loop reports the failure and recovers, and results are still recorded', async () => {
  const database = await postgres.open();
  const { db } = database.store;
  const clock = createFakeClock();
  const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };
  clock.jump(Date.now() + 10 * dayMs - clock.now());
  // Another program has created a table with the name of a partition.
  const today = Math.floor(clock.now() / dayMs);
  await sql`create table ${sql.table(`result_${today}`)} (id int)`.execute(db);
  const loop = startPartitions({ clock, log }, database.store, 30);
  const warnings = () => findHungLoops([watchedFailing('partitions', loop)]).warnings;
  try {
    await clock.advance(0);
    await vi.waitFor(() => expect(log.error).toHaveBeenCalled(), { timeout: 120_000 });
    expect(warnings()).toEqual([]);
    // A failed run may have made other transactions wait, so the next run comes a minute later.
    await vi.waitFor(() => expect(loop.runningForMs()).toBe(0));
    await clock.advance(59_000);
    expect([loop.runningForMs(), log.error.mock.calls.length]).toEqual([0, 1]);
    await vi.waitFor(
      async () => {
        await clock.advance(60_000);
        expect(warnings()[0]).toMatch(/"partitions" has been failing for/);
      },
      { timeout: 120_000 },
    );
    await db.insertInto('result').values({ monitor: 1, at: clock.now(), region: 1, code: 0, tenths: 1 }).execute();
    await sql`drop table ${sql.table(`result_${today}`)}`.execute(db);
    await vi.waitFor(
      async () => {
        await clock.advance(60_000);
        expect(await readPartitions(db)).not.toEqual([]);
      },
      { timeout: 120_000 },
    );
  } finally {
    await loop.stop();
    await database.dispose();
  }
});
