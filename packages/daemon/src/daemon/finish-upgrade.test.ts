import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { storedSize } from '../core/stored-size.ts';
import { recountStorage } from '../plans/recount-storage.ts';
import { createSeal } from '../store/seal.ts';
import { runUpgradeStep } from '../store/upgrade-step.ts';
import { createMonitorVault } from '../stored-monitors/monitor-vault.ts';
import { sealStoredMonitors } from '../stored-monitors/seal-stored-monitors.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

const secret = 'a secret of this test, long enough for all';
const clear = {
  url: 'https://ada:canary@a.example/?page=2&token=canary',
  headers: { Authorization: 'canary', Accept: '*/*' },
  body: 'canary',
};

describe.each(databases)('data of an earlier version on $name', (database) => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck, database, env: { UPTIME_SECRET_KEY: secret } });
    const { db } = daemon.store;
    // Waits until all steps of the first start are done. If a step ended after the deletion below, the step would be
    // marked as done again.
    await vi.waitFor(async () => {
      const done = await db.selectFrom('upgrade_step').select('name').where('done', '=', 1).execute();
      expect(done).toHaveLength(1 + recountStorage.length);
    }, 60_000);
    await db.deleteFrom('upgrade_step').execute();
  });
  afterEach(() => daemon.close());

  const create = async (path: string, body: object) => {
    const answer = await daemon.request('POST', `/api/${path}`, body);
    expect(answer).toMatchObject({ status: 201 });
    return (answer.body as { id: string }).id;
  };
  /** Stores monitors with unencrypted secrets, as early versions did. */
  const addClear = async (count: number) => {
    const fields = { type: 'http', name: 'x', url: 'https://a.example/', method: 'POST', paused: true };
    for (let n = 0; n < count; n++) await create('monitors', fields);
    const { db } = daemon.store;
    const { config } = await db.selectFrom('monitor').select('config').executeTakeFirstOrThrow();
    const old = JSON.stringify({ ...(JSON.parse(config) as object), ...clear });
    await db.updateTable('monitor').set({ config: old, bytes: 0 }).execute();
  };
  const monitors = () => daemon.store.db.selectFrom('monitor').selectAll().orderBy('seq').execute();
  const isSealed = ({ config }: { config: string }) => !config.includes('canary');

  test('a start encrypts the secrets of stored monitors, and the monitors then work as before', async () => {
    await addClear(3);
    await daemon.restart();
    await vi.waitFor(async () => expect((await monitors()).every(isSealed)).toBe(true), 60_000);
    for (const { id } of await monitors())
      expect((await daemon.request('GET', `/api/monitors/${id}`)).body).toMatchObject({ ...clear, secretsError: null });
    for (const row of await monitors())
      expect(row.bytes).toBe(storedSize({ type: row.type, key: row.key, name: row.name, config: row.config }));
  });

  test('an interrupted upgrade step continues where it stopped, and no part of it runs twice', async () => {
    await addClear(45);
    const vault = createMonitorVault(createSeal(secret));
    const step = sealStoredMonitors(vault);
    // The step works in batches of 20 monitors. The first batch is committed. The second batch is rolled back, as if
    // the daemon was killed.
    let pieces = 0;
    const cut = {
      ...step,
      run: async (...given: Parameters<typeof step.run>) => {
        const last = await step.run(...given);
        if (++pieces === 2) throw new Error('killed');
        return last;
      },
    };
    const { signal } = new AbortController();
    await expect(runUpgradeStep(daemon.store, cut, signal)).rejects.toThrow('killed');
    expect((await monitors()).filter(isSealed)).toHaveLength(20);
    await runUpgradeStep(daemon.store, step, signal);
    expect((await monitors()).filter(isSealed)).toHaveLength(45);
    const before = await monitors();
    await runUpgradeStep(daemon.store, step, signal);
    expect(await monitors()).toEqual(before);
  });

  test('after the upgrade, an old row has the same stored size as a new row with the same content', async () => {
    const monitor = await create('monitors', { key: 'k', type: 'heartbeat', name: 'ü' });
    const channel = await create('notification-channels', {
      key: 'k',
      type: 'slack',
      name: 'x',
      config: { webhookUrl: 'http://localhost:1/' },
    });
    await create('alert-rules', { key: 'k', name: 'x', monitorIds: [monitor], channelIds: [channel] });
    await create('status-pages', {
      key: 'k',
      name: 'x',
      slug: `upgraded-${database.name}`,
      description: 'd',
      monitorIds: [monitor],
    });
    const { db } = daemon.store;
    const tables = ['monitor', 'channel', 'rule', 'status_page'] as const;
    const sizes = () =>
      Promise.all(
        tables.map(async (table) => (await db.selectFrom(table).select('bytes').execute()).map(Object.values)),
      );
    const counted = await sizes();
    for (const table of tables) await db.updateTable(table).set({ bytes: 1 }).execute();
    for (const step of recountStorage) await runUpgradeStep(daemon.store, step, new AbortController().signal);
    expect(await sizes()).toEqual(counted);
  });
});
