import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import { ServiceError } from '../errors.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { addProbe, maxProbes } from './add-probe.ts';
import { addProbeToken } from './tokens.ts';

const now = Date.UTC(2026, 0, 1);

const { open } = databases.find(({ name }) => name === 'postgres')!;
let database: TestDatabase;
beforeEach(async () => {
  database = await open();
});
afterEach(() => database.dispose());

/** Adds as many probes as a token may have. Returns the row of one more probe, which is not added yet. */
async function fillToken() {
  const { store } = database;
  const { id: token } = await store.write((trx) => addProbeToken(trx, 'eu', now));
  const { region } = await store.db.selectFrom('probe_token').select('region').executeTakeFirstOrThrow();
  const row = { token, region, version: '1', first_seen_at: now, seen_at: now, queued: 0, oldest_at: null };
  for (let n = 0; n < maxProbes; n++)
    await store.write((trx) => addProbe(trx, { ...row, name: `probe-${n}` }, now), { durable: false });
  return { ...row, name: 'joining' };
}
const isKnown = async (name: string) =>
  (await database.store.db.selectFrom('probe').select('name').where('name', '=', name).execute()).length > 0;

const seenAt = now - 2 * hourMs;

test.each([
  ['a silent probe that reports', null],
  ['a stopped probe that starts again', seenAt],
])('%s while another probe joins is not deleted', async (_, leftAt) => {
  const row = await fillToken();
  await database.store.db
    .updateTable('probe')
    .set({ first_seen_at: seenAt - hourMs, seen_at: seenAt, left_at: leftAt })
    .where('name', '=', 'probe-7')
    .execute();

  const other = await database.openAnother();
  const { joining } = await other.write(
    async (trx) => {
      await trx.updateTable('probe').set({ seen_at: now, left_at: null }).where('name', '=', 'probe-7').execute();
      const joined = database.store.write((own) => addProbe(own, row, now), { durable: false });
      const settled = Promise.allSettled([joined]);
      await untilWaiting();
      return { joining: settled };
    },
    { durable: false },
  );
  const [outcome] = await joining;
  expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ServiceError) as unknown });
  expect(await isKnown('probe-7')).toBe(true);
  expect(await isKnown('joining')).toBe(false);
});

/** Waits until the joining probe's transaction has to wait for the row that the other transaction has locked. */
const untilWaiting = () =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from "probe"%'
      `.execute(database.store.db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 10_000, interval: 10 },
  );
