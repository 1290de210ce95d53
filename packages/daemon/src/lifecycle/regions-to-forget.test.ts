import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRetention } from '../engine/retention.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { joinRegion } from './join-region.ts';
import { readRegionsToForget } from './regions-to-forget.ts';
import { regionNumber } from './regions.ts';

describe.each(databases)('the removal of unused regions on $name', (database) => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterEach(() => daemon.close());

  const names = async () => {
    const rows = await daemon.store.db.selectFrom('region').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  };
  const create = async (fields: object): Promise<string> => {
    const body = { type: 'tcp', name: 'm', host: 'h', port: 1, ...fields };
    return ((await daemon.request('POST', '/api/monitors', body)).body as { id: string }).id;
  };
  const nameRegions = (id: string, regions: string[]) => daemon.request('PATCH', `/api/monitors/${id}`, { regions });
  const seqOf = async (id: string) => {
    const row = daemon.store.db.selectFrom('monitor').select('seq').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).seq;
  };

  test('retention removes regions that monitors no longer name, and keeps regions in use', async () => {
    const { store } = daemon;
    await create({ regions: ['used'] });
    await create({ regions: ['paused'], paused: true });
    await joinRegion(store, 'once-served', 1000);
    await daemon.request('POST', '/api/probes', { region: 'token' }, { cookie: daemon.cookie });
    const id = await create({ regions: ['first'] });
    for (let round = 0; round < 12; round++)
      await nameRegions(
        id,
        Array.from({ length: 50 }, (_, at) => `fresh-${round}-${at}`),
      );
    expect(await names()).toHaveLength(606);
    await nameRegions(id, ['last']);

    const clock = createFakeClock();
    const retention = startRetention({ clock, log: silentLog }, store, { rawRetentionDays: 30 });
    const kept = ['default', 'last', 'once-served', 'paused', 'token', 'used'];
    await expect
      .poll(
        async () => {
          await clock.advance(60_000);
          return names();
        },
        { timeout: 20_000, interval: 10 },
      )
      .toEqual(kept);
    await clock.advance(20 * 60_000);
    await retention.stop();
    expect(await names()).toEqual(kept);
  });

  test('a region is kept if a monitor names it after the pass has read that monitor', async () => {
    const { store } = daemon;
    const id = await create({ regions: ['old'], paused: true });
    await nameRegions(id, []);
    const pass = await readRegionsToForget(store, 0);
    await pass.keepOf(await seqOf(id));
    await nameRegions(id, ['old']);
    expect(await pass.removePiece()).toBe(false);
    expect(await names()).toContain('old');
  });

  test('if a monitor names a removed region again, the region gets a new number', async () => {
    const { store } = daemon;
    const first = await store.write((trx) => regionNumber(trx, 'gone'));
    const pass = await readRegionsToForget(store, 0);
    await pass.removePiece();
    expect(await names()).toEqual(['default']);
    expect(await store.write((trx) => regionNumber(trx, 'gone'))).toBeGreaterThan(first);
  });
});
