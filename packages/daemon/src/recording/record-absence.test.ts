import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@uptime/sdk/contract';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { allRoles, type Role } from '../core/roles.ts';
import { rollUpTime } from './roll-up-time.ts';
import { newState } from '../core/lifecycle.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { nextCheckAt, phaseOf } from '../core/schedule.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import { recordAbsence } from './record-absence.ts';

const minute = 60_000;
const hour = 60 * minute;
const from = Date.UTC(2026, 0, 2) - 20 * minute;
const to = from + 30 * minute;
const instance = { name: 'serve:default', region: 1, roles: allRoles };

describe.each(databases)('an absence on $name', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await database.store.db.insertInto('project').values(projectRow('prj')).execute();
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    for (const table of ['monitor', 'presence', 'incident', 'observed_hour', 'observed_day'] as const)
      await database.store.db.deleteFrom(table).execute();
    await database.store.db
      .insertInto('presence')
      .values({ instance: instance.name, region: 1, started_at: 0, alive_at: from })
      .execute();
  });

  interface Given {
    status?: MonitorStatus;
    rolledUpUntil?: number;
    unobservedSince?: number | null;
    allowedSilenceMs?: number;
    lastPingAt?: number | null;
    pingDueAt?: number | null;
    regions?: MonitorState['regions'];
  }
  const add = async (given: readonly Given[]): Promise<number[]> => {
    const { db } = database.store;
    const monitors = given.map((_, at) => monitorRow(`mon_${at}`, 'prj', { config: '{"interval":60}' }));
    const rows = await db.insertInto('monitor').values(monitors).returning('seq').execute();
    const seqs = rows.map(({ seq }) => seq).toSorted((a, b) => a - b);
    const states = given.map(({ rolledUpUntil = from, allowedSilenceMs = 0, ...more }, at) => ({
      ...stateToRow({ ...newState(from - 9 * hour, false, [], null), ...more }),
      monitor: seqs[at]!,
      allowed_silence_ms: allowedSilenceMs,
      rolled_up_until: rolledUpUntil,
    }));
    await db.insertInto('monitor_state').values(states).execute();
    return seqs;
  };

  it('`recordAbsence` extends deadlines of heartbeats, but not beyond the deadline that a ping at the end of the absence would set', async () => {
    const cases: [given: Given, due: number | null][] = [
      [{ allowedSilenceMs: hour, lastPingAt: from - 50 * minute, pingDueAt: from + 10 * minute }, to + 10 * minute],
      [{ allowedSilenceMs: minute, lastPingAt: from - minute, pingDueAt: from - 1 }, to - 1],
      // With the whole absence added, this deadline would be 20 minutes after `to`. A ping at `to` would set it to only
      // 10 minutes after `to`, so it is not extended beyond that.
      [{ allowedSilenceMs: 10 * minute, lastPingAt: from, pingDueAt: from + 20 * minute }, to + 10 * minute],
      [{ allowedSilenceMs: 10 * minute, lastPingAt: null, pingDueAt: from + 5 * minute }, to + 5 * minute],
      // This ping arrived during the absence, and was stored before the absence was recorded.
      [
        { allowedSilenceMs: 10 * minute, lastPingAt: from + 5 * minute, pingDueAt: from + 15 * minute },
        to + 10 * minute,
      ],
      // A ping after the absence has set this deadline, so the absence does not extend it.
      [
        { allowedSilenceMs: 10 * minute, lastPingAt: to + 500, pingDueAt: to + 500 + 10 * minute },
        to + 500 + 10 * minute,
      ],
      [{ allowedSilenceMs: 10 * minute, lastPingAt: null, pingDueAt: to + 30 * minute }, to + 30 * minute],
      [{ allowedSilenceMs: 10 * minute, lastPingAt: from, pingDueAt: null }, null],
    ];
    const seqs = await add(cases.map(([given]) => given));
    await recordAbsence(database.store, instance, { from, to });
    const rows = await database.store.db.selectFrom('monitor_state').select(['monitor', 'ping_due_at']).execute();
    const due = new Map(rows.map((row) => [row.monitor, row.ping_due_at]));
    expect(seqs.map((seq) => due.get(seq))).toEqual(cases.map(([, expected]) => expected));
  });

  it('`recordAbsence` spreads the missed checks of the absent region over one interval', async () => {
    const { db, dialect } = database.store;
    const seen = { 1: { at: from, failed: false, round: 'due', began: null } } as const;
    const seqs = await add(Array.from({ length: 120 }, () => ({ status: 'up', regions: seen })));
    await db
      .insertInto('schedule')
      .values(seqs.map((monitor) => ({ monitor, region: 1, next_at: from + minute, lease_until: 0 })))
      .execute();
    await recordAbsence(database.store, instance, { from, to });
    const rows = await db.selectFrom('schedule').select('next_at').orderBy('monitor').execute();
    // On SQLite, rows do not change: the schedule in memory spreads the checks at each start.
    const expected = (monitor: number) =>
      dialect.exclusive ? from + minute : nextCheckAt(to, minute, phaseOf(monitor, 1, minute));
    expect(rows.map(({ next_at: at }) => at)).toEqual(seqs.map(expected));
  });

  it('`recordAbsence` makes a monitor due at once if its first check was missed, and renews the sign of life of the daemon', async () => {
    const [one, other] = (await add([{}, {}])) as [number, number];
    await database.store.db
      .insertInto('schedule')
      .values(
        [
          { monitor: one, region: 1, next_at: from + minute },
          { monitor: other, region: 1, next_at: to + minute },
          { monitor: one, region: 2, next_at: from + minute },
        ].map((row) => ({ ...row, lease_until: 0 })),
      )
      .execute();
    await recordAbsence(database.store, instance, { from, to });
    const next = await database.store.db
      .selectFrom('schedule')
      .select('next_at')
      .orderBy('region')
      .orderBy('monitor')
      .execute();
    // On SQLite the schedule is in memory, so an absence does not change these rows.
    const first = database.store.dialect.exclusive ? from + minute : to;
    expect(next.map(({ next_at: at }) => at)).toEqual([first, to + minute, from + minute]);
    expect(await database.store.db.selectFrom('presence').select('alive_at').executeTakeFirst()).toEqual({
      alive_at: to,
    });
  });

  /**
   * Creates a heartbeat, and three monitors: one that region 1 checks, one that region 2 checks, and one that both
   * check. `peers` are the last signs of life of other daemons. Returns what the absence of a daemon in region 1
   * changes.
   */
  const changesWithPeers = async (
    peers: { region: number; alive_at: number; roles?: string }[],
    roles: readonly Role[] = allRoles,
  ) => {
    const { db } = database.store;
    const [job, here, there, both] = (await add([
      { allowedSilenceMs: hour, lastPingAt: from, pingDueAt: from + hour - 1 },
      { status: 'up' },
      { status: 'up' },
      { status: 'up' },
    ])) as [number, number, number, number];
    const rows = [
      { monitor: here, region: 1 },
      { monitor: there, region: 2 },
      { monitor: both, region: 1 },
      { monitor: both, region: 2 },
    ];
    await db
      .insertInto('schedule')
      .values(rows.map((row) => ({ ...row, next_at: from, lease_until: 0 })))
      .execute();
    for (const [at, peer] of peers.entries())
      await db
        .insertInto('presence')
        .values({ instance: `peer ${at}`, started_at: 0, ...peer })
        .execute();
    await recordAbsence(database.store, { ...instance, roles }, { from, to });
    const states = await db.selectFrom('monitor_state').select(['monitor', 'rolled_up_until', 'ping_due_at']).execute();
    const due = await db.selectFrom('schedule').select('region').where('next_at', '=', to).distinct().execute();
    return {
      givenBack: states.find(({ monitor }) => monitor === job)!.ping_due_at! - (from + hour - 1),
      unwatched: [here, there, both].filter((seq) => states.some((s) => s.monitor === seq && s.rolled_up_until === to)),
      // On SQLite the schedule is in memory, and no row changes.
      dueIn: database.store.dialect.exclusive ? null : due.map(({ region }) => region),
      monitors: { here, there, both },
    };
  };

  const dueIn = (...regions: number[]) => (database.store.dialect.exclusive ? null : regions);

  it('an absence changes nothing while another daemon serves the same region', async () => {
    const found = await changesWithPeers([{ region: 1, alive_at: to - 1000 }]);
    expect(found).toMatchObject({ givenBack: 0, unwatched: [], dueIn: dueIn() });
  });

  it('while a daemon serves another region, an absence concerns only monitors that no other region checks', async () => {
    const found = await changesWithPeers([{ region: 2, alive_at: to - 1000 }]);
    expect(found).toMatchObject({ givenBack: 0, unwatched: [found.monitors.here], dueIn: dueIn(1) });
  });

  it('an absence begins at the last sign of life of any daemon', async () => {
    const found = await changesWithPeers([
      { region: 2, alive_at: to - 10 * minute },
      { region: 1, alive_at: to - 20 * minute },
    ]);
    const { here, there, both } = found.monitors;
    expect(found).toMatchObject({ givenBack: 10 * minute, unwatched: [here, there, both], dueIn: dueIn(1) });
  });

  it('an absence concerns no heartbeat if another node received pings, even if no other node checked', async () => {
    const peer = { region: 1, alive_at: to - 1000, roles: 'api,deliver,housekeeping' };
    const found = await changesWithPeers([peer]);
    const { here, there, both } = found.monitors;
    expect(found).toMatchObject({ givenBack: 0, unwatched: [here, there, both], dueIn: dueIn(1) });
  });

  it('an absence concerns only heartbeats if another node checked and no other node received pings', async () => {
    const found = await changesWithPeers([{ region: 1, alive_at: to - 1000, roles: 'checker' }]);
    expect(found).toMatchObject({ givenBack: to - from, unwatched: [], dueIn: dueIn() });
  });

  it('an absence concerns only heartbeats if the absent node only serves the API', async () => {
    const found = await changesWithPeers([], ['api']);
    expect(found).toMatchObject({ givenBack: to - from, unwatched: [], dueIn: dueIn() });
  });

  it('an absence concerns no heartbeat if the absent node only checks', async () => {
    const found = await changesWithPeers([], ['checker']);
    const { here, there, both } = found.monitors;
    expect(found).toMatchObject({ givenBack: 0, unwatched: [here, there, both], dueIn: dueIn(1) });
  });

  it('`recordAbsence` extends deadlines only once, although several daemons record the absence', async () => {
    const { db } = database.store;
    const [job] = (await add([{ allowedSilenceMs: hour, lastPingAt: from, pingDueAt: from + 10 * minute }])) as [
      number,
    ];
    const names = ['one', 'two', 'three'];
    await db
      .insertInto('presence')
      .values(names.map((name, at) => ({ instance: name, region: 1 + (at % 2), started_at: 0, alive_at: from })))
      .execute();
    await Promise.all(
      names.map((name, at) =>
        recordAbsence(database.store, { name, region: 1 + (at % 2), roles: allRoles }, { from, to: to + at }),
      ),
    );
    const state = await db.selectFrom('monitor_state').select('ping_due_at').where('monitor', '=', job).execute();
    expect(state[0]!.ping_due_at! - (to + 10 * minute)).toBeLessThanOrEqual(2);
  });

  it('`recordAbsence` rolls up the time of many monitors to the same counts as `rollUpTime` does for each of them', async () => {
    const { store } = database;
    const statuses = ['up', 'down', 'pending', 'paused'] as const;
    const seqs = await add(
      Array.from({ length: 520 }, (_, at) => ({
        // Only a few of the monitors have time that is not rolled up yet, because `rollUpTime` takes long for each of
        // them.
        status: at < 40 || at > 510 ? statuses[at % 4]! : 'pending',
        rolledUpUntil: from + minute - (at % 40) * 17 * minute,
        unobservedSince: at % 3 === 0 ? from - (at % 40) * 11 * minute : null,
      })),
    );
    for (const [at, start] of [from - 5 * hour, from - 4.5 * hour, from - 10 * minute].entries()) {
      const { seq } = await store.db
        .insertInto('incident')
        .values({
          id: `inc_${at}`,
          project_id: 'prj',
          title: 'window',
          status: 'identified',
          maintenance: 1,
          scheduled_start: start,
          scheduled_end: start + hour,
          started_at: start,
          resolved_at: at === 0 ? start + 40 * minute : null,
          created_at: start,
          updated_at: start,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      const named = seqs
        .filter((_, place) => place % 2 === 0)
        .map((monitor, position) => ({ incident: seq, monitor, position }));
      await store.db.insertInto('incident_monitor').values(named).execute();
    }
    const read = async (db: Pick<typeof store.db, 'selectFrom'>) => ({
      hours: await db.selectFrom('observed_hour').selectAll().orderBy('monitor').orderBy('period').execute(),
      days: await db.selectFrom('observed_day').selectAll().orderBy('monitor').orderBy('period').execute(),
    });
    // For one of the hours, time of a monitor is already counted. The rollup adds more time to the count of that hour.
    const before = {
      monitor: seqs[0]!,
      period: Math.floor((from - minute) / hour),
      up_ms: 5,
      down_ms: 7,
      maintenance_ms: 9,
    };
    await store.db.insertInto('observed_hour').values(before).execute();

    let expected: Awaited<ReturnType<typeof read>> | undefined;
    const rolledBack = store.write(async (trx) => {
      for (const row of await trx.selectFrom('monitor_state').selectAll().execute())
        await rollUpTime(trx, row.monitor, { ...stateFromRow(row), rolledUpUntil: row.rolled_up_until }, from);
      expected = await read(trx);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(expected!.hours.some((row) => row.maintenance_ms > 0 && row.down_ms + row.up_ms > 0)).toBe(true);

    await recordAbsence(store, instance, { from, to });
    expect(await read(store.db)).toEqual(expected);
    const rolledUpTo = await store.db.selectFrom('monitor_state').select('rolled_up_until').distinct().execute();
    expect(rolledUpTo).toEqual([{ rolled_up_until: to }]);
  });
});
