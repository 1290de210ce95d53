import { expect, onTestFinished, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { monitorRow } from '../testing/rows.ts';
import { begunAt, createWatchedProject, minute } from '../testing/watched-project.ts';
import { joinRegion } from './join-region.ts';
import { regionNumber } from './regions.ts';
import { servingWarnings } from './serving-warnings.ts';

test.each(databases)(
  'a warning about a silent region counts 100 monitors at most, and regions without monitors cause no warning, on $name',
  async ({ open }) => {
    const opened = await open();
    onTestFinished(() => opened.dispose());
    const { store } = opened;
    await createWatchedProject(store);
    await joinRegion(store, 'without-monitors', begunAt);
    await joinRegion(store, 'few', begunAt);
    await joinRegion(store, 'many', begunAt);
    await store.write(async (trx) => {
      await regionNumber(trx, 'unused');
      const numbers: Record<string, number> = {};
      for (const name of ['few', 'many', 'mars']) numbers[name] = await regionNumber(trx, name);
      const monitors = await trx
        .insertInto('monitor')
        .values(Array.from({ length: 101 }, (_, at) => monitorRow(`mon_${at}`, 'prj')))
        .returning('seq')
        .execute();
      const rows = (name: string, count: number) =>
        monitors
          .slice(0, count)
          .map(({ seq: monitor }) => ({ monitor, region: numbers[name]!, next_at: begunAt, lease_until: 0 }));
      await trx
        .insertInto('schedule')
        .values([...rows('few', 100), ...rows('many', 101), ...rows('mars', 101)])
        .execute();
    });
    const warnings = async () =>
      (await servingWarnings(store, begunAt + minute)).filter((text) => text.includes('monitor(s)'));
    expect(await warnings()).toEqual([
      'No daemon or probe checks from region "few", and 100 monitor(s) use it.',
      'No daemon or probe checks from region "many", and 100+ monitor(s) use it.',
      'Monitors name regions that were never served: "mars". 100+ monitor(s) are not checked from there.',
    ]);
    await store.db.updateTable('region').set({ retired_at: begunAt }).where('name', '=', 'many').execute();
    expect(await warnings()).toHaveLength(2);
  },
);
