import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Absence } from '../core/absence.ts';
import { allRoles } from '../core/roles.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { recordAbsence } from './record-absence.ts';

const minute = 60_000;
const from = Date.UTC(2026, 0, 2);
const to = from + 30 * minute;
const instance = { name: 'serve:default', region: 1, roles: allRoles };

describe.each(databases)('the absence that a node notes, on $name', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    await database.store.db.deleteFrom('presence').execute();
    await database.store.db
      .insertInto('presence')
      .values({ instance: instance.name, region: 1, started_at: 0, alive_at: from })
      .execute();
  });

  const noted = async () =>
    JSON.parse(
      (
        await database.store.db
          .selectFrom('presence')
          .select('absences')
          .where('instance', '=', instance.name)
          .executeTakeFirstOrThrow()
      ).absences,
    ) as Absence[];
  const addPeer = (aliveAt: number, absences: readonly Absence[] = [], roles = 'api,checker') =>
    database.store.db
      .insertInto('presence')
      .values({
        instance: 'peer',
        region: 2,
        started_at: 0,
        alive_at: aliveAt,
        absences: JSON.stringify(absences),
        roles,
      })
      .execute();

  it('since the last sign of life of any node', async () => {
    await addPeer(from + 5 * minute);
    const absences = [{ from: from + 5 * minute, to }];
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
    expect(await noted()).toEqual(absences);
  });

  it.each([-2000, 5, 1500])('from the notes of a node that ended the same absence %s ms later', async (laterMs) => {
    const absences = [{ from, to: to + laterMs }];
    await addPeer(to + laterMs, absences);
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
    expect(await noted()).toEqual(absences);
  });

  it('together with earlier absences', async () => {
    const earlier = { from: from - 21 * minute, to: from - minute };
    await addPeer(from - minute, [earlier]);
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual([earlier, { from, to }]);
  });

  it('if no other node receives results, even if another node checks', async () => {
    await addPeer(to - 1000, [], 'checker');
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual([{ from, to }]);
  });

  it('if no other node checks, even if another node receives results', async () => {
    await addPeer(to - 1000, [], 'api');
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual([{ from, to }]);
  });

  it('not while another node serves and has noted none', async () => {
    await addPeer(to - 1000);
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual([]);
    expect(await noted()).toEqual([]);
  });
});
