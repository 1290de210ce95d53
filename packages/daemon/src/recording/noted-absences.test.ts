import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Absence, NotedAbsences } from '../core/absence.ts';
import { allRoles } from '../core/roles.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { parseAbsences } from '../store/noted-absences.ts';
import { recordAbsence } from './record-absence.ts';

const minute = 60_000;
const from = Date.UTC(2026, 0, 2);
const to = from + 30 * minute;
const none: NotedAbsences = { receiving: [], checking: [] };
const both = (...list: Absence[]): NotedAbsences => ({ receiving: list, checking: list });
const instance = { name: 'serve:default', region: 1, roles: allRoles };

describe.each(databases)('an absence is noted, on $name', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    for (const table of ['presence', 'probe', 'probe_token'] as const)
      await database.store.db.deleteFrom(table).execute();
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
    ) as Partial<NotedAbsences>;
  const addPeer = (aliveAt: number, absences: NotedAbsences = none, roles = 'api,checker') =>
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

  const addProbes = async (region: number, seenAt: readonly number[]) => {
    const { db } = database.store;
    const id = `prb_${region}`;
    await db.insertInto('probe_token').values({ id, region, digest: id, created_at: from }).execute();
    const probe = { token: id, region, version: '1', queued: 0, first_seen_at: from };
    const probes = seenAt.map((seen_at, at) => ({ ...probe, name: `${region}-${at}`, seen_at }));
    await db.insertInto('probe').values(probes).execute();
  };

  const record = async () => (await recordAbsence(database.store, instance, { from, to })).noted;

  it('since the last sign of life of any node', async () => {
    await addPeer(from + 5 * minute);
    const absences = both({ from: from + 5 * minute, to });
    expect(await record()).toMatchObject(absences);
    expect(await noted()).toEqual(absences);
  });

  it.each([-2000, 5, 1500])('only once, if another node noted it with an end %s ms later', async (laterMs) => {
    const absences = both({ from, to: to + laterMs });
    await addPeer(to + laterMs, absences);
    expect(await record()).toMatchObject(absences);
    expect(await noted()).toEqual(none);
  });

  it('together with earlier absences of the same node', async () => {
    const earlier = { from: from - 21 * minute, to: from - minute };
    await database.store.db
      .updateTable('presence')
      .set({ absences: JSON.stringify(both(earlier)) })
      .execute();
    expect(await record()).toMatchObject(both(earlier, { from, to }));
    expect(await noted()).toEqual(both(earlier, { from, to }));
  });

  it('only for receiving, if another node checks', async () => {
    await addPeer(to - 1000, none, 'checker');
    expect(await record()).toMatchObject({ receiving: [{ from, to }], checking: [] });
  });

  it('only for checking, if another node receives results', async () => {
    await addPeer(to - 1000, none, 'api');
    expect(await record()).toMatchObject({ receiving: [], checking: [{ from, to }] });
  });

  it('not for a kind of work that no node has done before', async () => {
    await addPeer(from, none, 'api');
    const first = { name: 'first checker', region: 1, roles: ['checker'] as const };
    await database.store.db.deleteFrom('presence').where('instance', '=', instance.name).execute();
    expect((await recordAbsence(database.store, first, { from: 0, to })).noted).toMatchObject(none);
  });

  it('by a node with a new name, in a new row', async () => {
    const renamed = { ...instance, name: 'renamed' };
    const absences = both({ from, to });
    expect((await recordAbsence(database.store, renamed, { from: 0, to })).noted).toMatchObject(absences);
    const rows = await database.store.db.selectFrom('presence').select(['instance', 'absences']).execute();
    const row = rows.find((one) => one.instance === 'renamed');
    expect(parseAbsences(row!.absences)).toEqual(absences);
  });

  it('not while another node serves and has noted none', async () => {
    await addPeer(to - 1000);
    expect(await record()).toMatchObject(none);
    expect(await noted()).toEqual(none);
  });

  it('only by nodes with the role, but a node without the role sees it too', async () => {
    await addPeer(from + minute, none, 'api');
    const checker = { ...instance, roles: ['checker'] as const };
    const { noted: known, seen } = await recordAbsence(database.store, checker, { from, to });
    expect(known).toMatchObject({ receiving: [], checking: [{ from, to }] });
    expect(seen).toEqual({ receiving: [{ from: from + minute, to }], checking: [] });
  });

  it.each([
    { own: 'checker', other: 'api' },
    { own: 'api', other: 'checker' },
  ] as const)(
    'but a new $own does not see that no $other ran while another $own ran, because they must agree',
    async ({ own, other }) => {
      await addPeer(from + minute, none, other);
      const running = { instance: 'running', region: 1, started_at: 0, alive_at: to - 1000, roles: own };
      await database.store.db.insertInto('presence').values(running).execute();
      const { seen } = await recordAbsence(database.store, { ...instance, roles: [own] }, { from, to });
      expect(seen).toEqual(none);
      await database.store.db
        .updateTable('presence')
        .set({ alive_at: from + 2 * minute })
        .where('instance', '=', running.instance)
        .execute();
      const later = await recordAbsence(database.store, { ...instance, roles: [own] }, { from, to });
      const kind = other === 'api' ? 'receiving' : 'checking';
      expect(later.seen).toEqual({ ...none, [kind]: [{ from: from + 2 * minute, to }] });
    },
  );

  it('with the regions of the nodes that check, even if they ended', async () => {
    await addPeer(to - 1000, none, 'api');
    expect((await record()).daemonRegions).toEqual(new Set([1]));
    await database.store.db.updateTable('presence').set({ roles: 'api,checker', ended_at: to }).execute();
    expect((await record()).daemonRegions).toEqual(new Set([1, 2]));
  });

  it.each([
    ['ended', { ended_at: to - 20 * minute }, to - 20 * minute],
    ['crashed', { ended_at: null }, to - 19 * minute],
  ])('with the region of a checker that has %s, until a probe takes over that region', async (_, end, takenOverAt) => {
    const { db } = database.store;
    const [eu, africa] = [
      await joinRegion(database.store, 'eu', from),
      await joinRegion(database.store, 'africa', from),
    ];
    const checker = { started_at: 0, roles: 'checker', alive_at: to - 20 * minute };
    const ofEu = { ...checker, instance: 'eu', region: eu, ...end };
    if (ofEu.ended_at !== null) ofEu.alive_at -= minute / 2;
    await db.insertInto('presence').values(ofEu).execute();
    await db
      .insertInto('presence')
      .values({ ...checker, instance: 'africa', region: africa })
      .execute();
    await addProbes(eu, [from, takenOverAt]);
    await addProbes(africa, [from]);
    expect((await record()).daemonRegions).toEqual(new Set([1, eu, africa]));
    await db
      .updateTable('probe')
      .set({ seen_at: takenOverAt + 1 })
      .where('name', '=', `${eu}-1`)
      .execute();
    expect((await record()).daemonRegions).toEqual(new Set([1, africa]));
    // A probe that has left counts as seen until it left.
    await db
      .updateTable('probe')
      .set({ seen_at: takenOverAt - 1, left_at: takenOverAt + 1 })
      .where('name', '=', `${eu}-1`)
      .execute();
    expect((await record()).daemonRegions).toEqual(new Set([1, africa]));
  });

  it('with the region of a checker that runs, even if a probe of that region has called later', async () => {
    await addProbes(1, [to + minute / 2]);
    expect((await record()).daemonRegions).toEqual(new Set([1]));
  });
});
