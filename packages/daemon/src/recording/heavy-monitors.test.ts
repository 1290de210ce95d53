import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { noteUnobserved } from './note-unobserved.ts';
import { noAbsences } from '../core/absence.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;
  let region: number;
  const seenAt = Date.now();

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    await addHeavyMonitors(daemon, size);
    const { db } = daemon.store;
    await db
      .updateTable('monitor_state')
      .set({ status: 'up', last_checked_at: seenAt, watched_since: seenAt })
      .execute();
    region = (await db.selectFrom('region').select('id').where('name', '=', 'eu').executeTakeFirstOrThrow()).id;
  });
  afterAll(() => daemon.close());

  /**
   * Notes the unobserved monitors a few minutes after the last result. A result counts for three intervals of a minute.
   */
  const note = async (minutes: number) => {
    await daemon.store.db.updateTable('monitor_state').set({ unobserved_since: null }).execute();
    const quiet = { withTimes: <T>(_: number, state: T) => state };
    const now = seenAt + minutes * 60_000;
    await noteUnobserved(daemon.store, { regions: [region], now, absences: noAbsences, quiet });
  };
  const marked = async () => {
    const rows = await daemon.store.db
      .selectFrom('monitor_state')
      .select('unobserved_since')
      .where('unobserved_since', 'is not', null)
      .execute();
    return rows.map((row) => row.unobserved_since);
  };

  test('while a region is silent, the search for unobserved monitors blocks the event loop for less than 50 ms at a time', async () => {
    expect(await longestTurn(() => note(2))).toBeLessThan(boundTurnMs());
    expect(await marked()).toEqual([]);
    expect(await longestTurn(() => note(4))).toBeLessThan(boundTurnMs());
    expect(await marked()).toEqual(Array.from({ length: size.count }, () => seenAt + 180_000));
  });
});
