import type { Insertable } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRetention } from '../engine/retention.ts';
import { addProbeToken } from '../probes/tokens.ts';
import type { ProbeTable } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createSilentProbes } from './silent-probes.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 0, 1);

describe.each(databases)('silent probes on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.dispose());

  const newToken = async () => (await database.store.write((trx) => addProbeToken(trx, 'eu', now))).id;
  const add = async (token: string, row: Partial<Insertable<ProbeTable>> & { name: string; seen_at: number }) => {
    const { region } = await database.store.db.selectFrom('probe_token').select('region').executeTakeFirstOrThrow();
    await database.store.db
      .insertInto('probe')
      .values({ token, region, version: '1', first_seen_at: now - 30 * dayMs, queued: 0, ...row })
      .execute();
  };
  const names = async () =>
    (await database.store.db.selectFrom('probe').select('name').orderBy('name').execute()).map(({ name }) => name);

  test('a probe that has been silent for a day is forgotten if another probe with its token is live', async () => {
    const [shared, alone] = [await newToken(), await newToken()];
    const silent = { seen_at: now - 1.1 * dayMs };
    await add(shared, { name: 'a live', seen_at: now - 29_000 });
    await add(shared, { name: 'b silent', ...silent });
    await add(shared, { name: 'c gathering', ...silent, queued: 2, oldest_at: silent.seen_at - 59_000 });
    await add(shared, { name: 'd silent for hours', seen_at: now - 0.9 * dayMs });
    await add(shared, { name: 'e backlog', ...silent, queued: 2, oldest_at: silent.seen_at - hourMs });
    await add(shared, { name: 'f old backlog', seen_at: now - 8 * dayMs, queued: 2, oldest_at: now - 9 * dayMs });
    await add(shared, { name: 'g stopped', ...silent, left_at: silent.seen_at });
    await add(alone, { name: 'h of another token', ...silent });
    const probes = createSilentProbes();
    await probes.forget(database.store, now);
    expect(await names()).toHaveLength(8);
    await probes.forget(database.store, now);
    expect(await names()).toEqual(['a live', 'd silent for hours', 'e backlog', 'g stopped', 'h of another token']);
  });

  test('after a long cut of a whole place, a probe that returns later than another one is not forgotten', async () => {
    const token = await newToken();
    await add(token, { name: 'first', seen_at: now });
    await add(token, { name: 'second', seen_at: now - 2 * dayMs });
    const probes = createSilentProbes();
    await probes.forget(database.store, now);
    await database.store.db.updateTable('probe').set({ seen_at: now }).execute();
    await probes.forget(database.store, now);
    expect(await names()).toEqual(['first', 'second']);
  });

  test('a time in which no server ran does not count as silence of a probe', async () => {
    const token = await newToken();
    const stoppedAt = now - 1.2 * dayMs;
    await add(token, { name: 'first', seen_at: now });
    await add(token, { name: 'second', seen_at: stoppedAt });
    const absences = JSON.stringify({ receiving: [{ from: stoppedAt, to: now - hourMs }], checking: [] });
    const node = { instance: 'serve:one', region: 1, started_at: now - hourMs, alive_at: now, roles: 'api', absences };
    await database.store.db.insertInto('presence').values(node).execute();
    const probes = createSilentProbes();
    await probes.forget(database.store, now);
    await probes.forget(database.store, now);
    expect(await names()).toEqual(['first', 'second']);
    await probes.forget(database.store, now + dayMs);
    await database.store.db
      .updateTable('probe')
      .set({ seen_at: now + dayMs })
      .where('name', '=', 'first')
      .execute();
    await probes.forget(database.store, now + dayMs);
    await probes.forget(database.store, now + dayMs);
    expect(await names()).toEqual(['first']);
  });

  test('retention forgets silent probes', async () => {
    const token = await newToken();
    await add(token, { name: 'live', seen_at: now + dayMs });
    await add(token, { name: 'silent', seen_at: now - 2 * dayMs });
    const clock = createFakeClock(now);
    const retention = startRetention({ clock, log: silentLog }, database.store, { rawRetentionDays: 30 });
    await expect
      .poll(
        async () => {
          await clock.advance(60_000);
          return names();
        },
        { timeout: 20_000, interval: 10 },
      )
      .toEqual(['live']);
    await retention.stop();
  });
});
