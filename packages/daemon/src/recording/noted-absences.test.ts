import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allRoles } from '../core/roles.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { recordAbsence } from './record-absence.ts';

const minute = 60_000;
const from = Date.UTC(2026, 0, 2);
const to = from + 30 * minute;
const instance = { name: 'serve:default', region: 1, roles: allRoles };

describe.each(databases)('the time in which no node received results is noted on $name', ({ open }) => {
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

  const noted = () =>
    database.store.db
      .selectFrom('presence')
      .select(['absent_from as from', 'absent_to as to'])
      .where('instance', '=', instance.name)
      .executeTakeFirstOrThrow();
  const addPeer = (aliveAt: number, absence: { absent_from: number; absent_to: number } | null = null) =>
    database.store.db
      .insertInto('presence')
      .values({ instance: 'peer', region: 2, started_at: 0, alive_at: aliveAt, ...absence })
      .execute();

  it('since the last sign of life of any node', async () => {
    await addPeer(from + 5 * minute);
    const absence = { from: from + 5 * minute, to };
    expect(await recordAbsence(database.store, instance, from, to)).toEqual(absence);
    expect(await noted()).toEqual(absence);
  });

  it('from the notes of a node that recorded it first', async () => {
    await addPeer(to - 1000, { absent_from: from, absent_to: to - 2000 });
    const absence = { from, to: to - 2000 };
    expect(await recordAbsence(database.store, instance, from, to)).toEqual(absence);
    expect(await noted()).toEqual(absence);
  });

  it('together with the absence before it, if the nodes ran only briefly in between', async () => {
    await addPeer(from - minute, { absent_from: from - 21 * minute, absent_to: from - minute });
    expect(await recordAbsence(database.store, instance, from, to)).toEqual({ from: from - 19 * minute, to });
  });

  it('not while another node serves and has noted none', async () => {
    await addPeer(to - 1000);
    expect(await recordAbsence(database.store, instance, from, to)).toEqual({ from: to, to });
    expect(await noted()).toEqual({ from: null, to: null });
  });
});
