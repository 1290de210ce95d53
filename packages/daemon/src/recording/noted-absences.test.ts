import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Absence, type Absences, noAbsences } from '../core/absence.ts';
import { allRoles } from '../core/roles.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { recordAbsence } from './record-absence.ts';

const minute = 60_000;
const from = Date.UTC(2026, 0, 2);
const to = from + 30 * minute;
const both = (...list: Absence[]): Absences => ({ receiving: list, checking: list });
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
    ) as Absences;
  const addPeer = (aliveAt: number, absences: Absences = noAbsences, roles = 'api,checker') =>
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
    const absences = both({ from: from + 5 * minute, to });
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
    expect(await noted()).toEqual(absences);
  });

  it.each([-2000, 5, 1500])('from the notes of a node that ended the same absence %s ms later', async (laterMs) => {
    const absences = both({ from, to: to + laterMs });
    await addPeer(to + laterMs, absences);
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
    expect(await noted()).toEqual(absences);
  });

  it('together with earlier absences', async () => {
    const earlier = { from: from - 21 * minute, to: from - minute };
    await addPeer(from - minute, both(earlier));
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(both(earlier, { from, to }));
  });

  it('only of receiving, if another node checks', async () => {
    await addPeer(to - 1000, noAbsences, 'checker');
    const absences = { receiving: [{ from, to }], checking: [] };
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
  });

  it('only of checking, if another node receives results', async () => {
    await addPeer(to - 1000, noAbsences, 'api');
    const absences = { receiving: [], checking: [{ from, to }] };
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(absences);
  });

  it('not for a kind of work that no node has done before', async () => {
    await addPeer(from, noAbsences, 'api');
    const first = { name: 'first checker', region: 1, roles: ['checker'] as const };
    await database.store.db.deleteFrom('presence').where('instance', '=', instance.name).execute();
    expect(await recordAbsence(database.store, first, { from: 0, to })).toEqual(noAbsences);
  });

  it('not while another node serves and has noted none', async () => {
    await addPeer(to - 1000);
    expect(await recordAbsence(database.store, instance, { from, to })).toEqual(noAbsences);
    expect(await noted()).toEqual(noAbsences);
  });
});
