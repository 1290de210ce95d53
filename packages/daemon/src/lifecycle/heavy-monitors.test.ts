import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedSize } from '../core/stored-size.ts';
import { fieldColumns } from '../stored-monitors/stored-monitor.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { addHeavyMonitors, heavySizes, longestTurn } from '../testing/heavy-monitors.ts';
import { boundTurnMs } from '../testing/bound-ms.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { begunAt, monitorFields } from '../testing/watched-project.ts';
import { joinRegion } from './join-region.ts';
import { initMonitor } from './monitor-life.ts';

describe.each(heavySizes)('with $count monitors of $kilobytes KB', (size) => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
    await addHeavyMonitors(daemon, size);
    // These monitors name no region, so each new region is added to them.
    const config = sql<string>`replace(config, '"regions":["eu"]', '"regions":[]')`;
    await daemon.store.db.updateTable('monitor').set({ config }).execute();
  });
  afterAll(() => daemon.close());

  test('adding a region to the monitors blocks the event loop for less than 50 ms at a time', async () => {
    const { store } = daemon;
    const joined: number[] = [];
    const join = async () => joined.push(await joinRegion(store, `region-${joined.length}`, Date.now()));
    expect(await longestTurn(join)).toBeLessThan(boundTurnMs());
    for (const region of joined) {
      const scheduled = await store.db.selectFrom('schedule').select('monitor').where('region', '=', region).execute();
      expect(scheduled).toHaveLength(size.count);
    }
  });
});

describe.each(databases)('on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => void (database = await open()));
  afterEach(() => database.dispose());

  test('a new region is added to every monitor, even if a small monitor follows a large monitor', async () => {
    const { store } = database;
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await joinRegion(store, 'default', begunAt);
    for (const [name, body] of Object.entries({ large: 'x'.repeat(100_000), small: 'x' }))
      await store.write(async (trx) => {
        const fields = monitorFields({ name, method: 'POST', body });
        const columns = fieldColumns(fields);
        const row = monitorRow(name, 'prj', { ...columns, bytes: storedSize(columns) });
        const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
        await initMonitor(trx, { seq, fields, now: begunAt });
      });
    const region = await joinRegion(store, 'eu', begunAt);
    const checked = await store.db
      .selectFrom('schedule')
      .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
      .select('monitor.id')
      .where('region', '=', region)
      .orderBy('monitor.seq')
      .execute();
    expect(checked).toEqual([{ id: 'large' }, { id: 'small' }]);
  });
});
