import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { regionNumber } from '../lifecycle/regions.ts';
import { openStore } from '../store/open-store.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { undoMigrations } from '../testing/undo-migrations.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { addProbeToken } from './tokens.ts';

test('an upgrade stores known probes under the digest of their name, so that they continue with their results', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-probe-names-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const name = '0123456789abcdef';
  const before = await openStore({ dataDir, log: silentLog });
  await before.write(async (trx) => {
    const { id } = await addProbeToken(trx, 'eu', 1);
    const row = { name, token: id, region: await regionNumber(trx, 'eu'), version: '1', first_seen_at: 1, seen_at: 1 };
    await trx
      .insertInto('probe')
      .values({ ...row, queued: 0, applied: 7 })
      .execute();
    await undoMigrations(trx, '0049-retired-regions');
  });
  await before.close();

  const after = await openStore({ dataDir, log: silentLog });
  const probes = await after.db.selectFrom('probe').select(['name', 'applied']).execute();
  await after.close();
  expect(probes).toEqual([{ name: storedProbeName(name), applied: 7 }]);
});
