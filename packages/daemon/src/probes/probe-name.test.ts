import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { regionNumber } from '../lifecycle/regions.ts';
import { openStore } from '../store/open-store.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { storedProbeName } from './probe-name.ts';
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
    await sql`alter table region drop column retired_at`.execute(trx);
    await sql`alter table region drop column naming_count`.execute(trx);
    await sql`alter table probe drop column run`.execute(trx);
    await sql`alter table database_move drop column move`.execute(trx);
    await sql`drop table move_change`.execute(trx);
    await sql`drop index if exists schedule_region`.execute(trx);
    await sql`delete from uptime_migration where name >= '0049-retired-regions'`.execute(trx);
  });
  await before.close();

  const after = await openStore({ dataDir, log: silentLog });
  const probes = await after.db.selectFrom('probe').select(['name', 'applied']).execute();
  await after.close();
  expect(probes).toEqual([{ name: storedProbeName(name), applied: 7 }]);
});
