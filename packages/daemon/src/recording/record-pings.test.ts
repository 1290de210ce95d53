import { type NormalMonitor, validateMonitor } from '@uptime/sdk/contract';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { durationOf, observePing } from '../core/heartbeat.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { initMonitor } from '../lifecycle/monitor-life.ts';
import { createRecordAllPings, type ReceivedPing } from './record-pings.ts';

const begunAt = Date.UTC(2026, 5, 1);

describe.each(databases)('pings of one commit on $name', ({ name, open }) => {
  /**
   * Returns how many random histories to play. PostgreSQL takes three times as long for a history, so it plays only a
   * third of them.
   */
  const runs = (count: number) => ({ numRuns: name === 'postgres' ? Math.ceil(count / 3) : count });

  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await database.store.write((trx) => trx.insertInto('project').values(projectRow('prj_1')).execute());
  });
  afterEach(() => database.dispose());

  const addHeartbeat = (token: string) =>
    database.store.write(async (trx) => {
      const row = monitorRow(token, 'prj_1', { type: 'heartbeat', token });
      const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields: heartbeat(60, 30), now: begunAt });
      return seq;
    });
  const ping = (token: string, seconds: number, kind: ReceivedPing['kind'] = 'success'): ReceivedPing => ({
    token,
    kind,
    exitCode: kind === 'failure' ? 3 : null,
    metrics: kind === 'start' ? '{"rows":1}' : null,
    at: begunAt + seconds * 1000,
  });
  /** Returns all stored data of a monitor. The ids of pings are replaced by 0. */
  const storedOf = async (monitor: number) => {
    const { db } = database.store;
    const [state, changes, outages, hours, pings] = await Promise.all([
      db.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).execute(),
      db.selectFrom('status_change').selectAll().where('monitor', '=', monitor).orderBy('id').execute(),
      db.selectFrom('outage').selectAll().where('monitor', '=', monitor).orderBy('opened_at').execute(),
      db.selectFrom('observed_hour').selectAll().where('monitor', '=', monitor).orderBy('period').execute(),
      db.selectFrom('ping').selectAll().where('monitor', '=', monitor).orderBy('id').execute(),
    ]);
    return { state, changes, outages, hours, pings: pings.map((row) => ({ ...row, id: 0 })) };
  };

  const anonymous = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, field) => (key === 'monitor' || key === 'id' ? 0 : field))) as unknown;

  it('pings in one commit have the same effect as pings that are recorded one by one, however often they change a status', async () => {
    const [one, many] = [await addHeartbeat('one'), await addHeartbeat('many')];
    const sent = (token: string) => [
      ping(token, 1, 'start'),
      ping(token, 2),
      ping(token, 3),
      ping(token, 4, 'failure'),
      ping(token, 5, 'start'),
      ping(token, 8, 'failure'),
      ping(token, 9),
      ping(token, 10, 'start'),
      ping(token, 11, 'failure'),
      ping(token, 12),
      ping(token, 13, 'start'),
    ];
    const recordAll = createRecordAllPings(database.store);
    const alone = [];
    for (const each of sent('one')) alone.push(...(await database.store.write((trx) => recordAll(trx, [each]))));
    const together = await database.store.write((trx) => recordAll(trx, sent('many')));

    expect(anonymous(together)).toEqual(anonymous(alone));
    expect(together.filter((answer) => answer.known && answer.transition)).toHaveLength(5);
    const stored = await storedOf(many);
    expect(anonymous(stored)).toEqual(anonymous(await storedOf(one)));
    expect(stored.pings.map(({ duration_ms }) => duration_ms)).toEqual([
      null,
      1000,
      null,
      null,
      null,
      3000,
      null,
      null,
      1000,
      null,
      null,
    ]);
    expect(stored.state).toMatchObject([
      {
        status: 'up',
        last_ping_at: begunAt + 12_000,
        run_started_at: begunAt + 13_000,
        ping_due_at: begunAt + 102_000,
      },
    ]);
    expect(stored.outages.map(({ close_reason }) => close_reason)).toEqual(['recovered', 'recovered']);
  });

  it('pings in one commit have the same effect as pings that are recorded one by one, whatever their kinds', async () => {
    const { store } = database;
    const recordAll = createRecordAllPings(store);
    const jobs = ['a', 'b', 'c'];
    const anyPing = record({
      job: constantFrom(...jobs, 'nobody'),
      kind: constantFrom('success', 'success', 'success', 'start', 'failure'),
      exitCode: constantFrom(null, 0),
      metrics: constantFrom(null, '{"rows":1}'),
      // Sometimes the clock is set back a little.
      later: integer({ min: -500, max: 5000 }),
    });
    const commits = array(array(anyPing, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });
    let round = 0;
    await assert(
      asyncProperty(commits, async (given) => {
        round++;
        const left = [];
        for (const [how, sent] of Object.entries({ together: given, alone: given.flat().map((one) => [one]) })) {
          const tokenOf = (job: string) => `${round} ${how} ${job}`;
          const seqs = [];
          for (const job of jobs) seqs.push(await addHeartbeat(tokenOf(job)));
          let at = begunAt;
          const answers = [];
          for (const commit of sent) {
            const pings = commit.map(({ job, later, ...fields }) => ({
              token: tokenOf(job),
              at: (at += later),
              ...fields,
            }));
            answers.push(...(await store.write((trx) => recordAll(trx, pings))));
          }
          left.push(anonymous([answers, await Promise.all(seqs.map(storedOf))]));
        }
        expect(left[0]).toEqual(left[1]);
      }),
      runs(25),
    );
  });

  it('pings in one commit have the effect that core/heartbeat.ts computes, whatever their kinds', async () => {
    const { store } = database;
    const recordAll = createRecordAllPings(store);
    const anyPing = record({
      job: constantFrom('a', 'b', 'c'),
      // Most of these pings only say that a job is done, and several have the same millisecond. On SQLite, such pings
      // have statements of their own (record-plain-pings.ts).
      kind: constantFrom<ReceivedPing['kind'][]>('success', 'success', 'success', 'success', 'start', 'failure'),
      exitCode: constantFrom(null, null, null, 0),
      metrics: constantFrom(null, null, null, '{"rows":1}'),
      later: constantFrom(0, 0, 0, 1, 700, -300),
    });
    const commits = array(array(anyPing, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });
    let round = 0;
    await assert(
      asyncProperty(commits, async (given) => {
        round++;
        const tokenOf = (job: string) => `core ${round} ${job}`;
        const expected = new Map<string, { seq: number; state: MonitorState; pings: object[] }>();
        for (const job of ['a', 'b', 'c']) {
          const seq = await addHeartbeat(tokenOf(job));
          const [row] = (await storedOf(seq)).state;
          expected.set(job, { seq, state: stateFromRow(row!), pings: [] });
        }
        let at = begunAt;
        for (const commit of given) {
          const pings = commit.map(({ later, ...ping }) => ({ ...ping, token: tokenOf(ping.job), at: (at += later) }));
          await store.write((trx) => recordAll(trx, pings));
          for (const ping of pings) {
            const one = expected.get(ping.job)!;
            const { kind, exitCode, metrics } = ping;
            const duration = durationOf(one.state, ping);
            const stored = metrics ?? (duration === null ? null : '{}');
            one.pings.push({ at: ping.at, kind, exit_code: exitCode, duration_ms: duration, metrics: stored });
            one.state = observePing(one.state, ping, 90_000).state;
          }
        }
        for (const { seq, state, pings } of expected.values()) {
          const stored = await storedOf(seq);
          expect(stateFromRow(stored.state[0]!)).toEqual(state);
          expect(stored.pings).toEqual(pings.map((ping) => ({ id: 0, monitor: seq, ...ping })));
        }
      }),
      runs(40),
    );
  });

  it('on a remote database, 200 pings with different times take no more statements than a single ping', async () => {
    const { store } = database;
    await addHeartbeat('many');
    const recordAll = createRecordAllPings(store);
    const statementsFor = (count: number) =>
      store.write(async (trx) => {
        const connection = await trx.getExecutor().provideConnection(async (one) => one);
        const asked = vi.spyOn(connection, 'executeQuery');
        const sent = Array.from({ length: count }, (_, at) => ping('many', at + count));
        expect(await recordAll(trx, sent)).toHaveLength(count);
        const statements = asked.mock.calls.length;
        asked.mockRestore();
        return statements;
      });
    await statementsFor(1);
    // SQLite runs in this process, so its statements do not count.
    const three = store.direct ? 0 : 3;
    expect([await statementsFor(1), await statementsFor(200)]).toEqual([three, three]);
  });

  it('each ping is recorded for the heartbeat with its token, and an unknown token is reported', async () => {
    const tokens = Array.from({ length: 100 }, (_, at) => `token ${at} "ä"`);
    const seqs: number[] = [];
    for (const token of tokens) seqs.push(await addHeartbeat(token));
    const recordAll = createRecordAllPings(database.store);
    const sent = tokens.flatMap((token, at) => [ping(token, at), ping(`no ${token}`, at), ping(token, at + 200)]);
    const answers = await database.store.write((trx) => recordAll(trx, sent));
    expect(answers.map(({ known }) => known)).toEqual(sent.map(({ token }) => !token.startsWith('no ')));
    const states = await database.store.db.selectFrom('monitor_state').selectAll().orderBy('monitor').execute();
    expect(states.map((row) => [row.monitor, row.status, row.since, row.last_ping_at])).toEqual(
      seqs.map((seq, at) => [seq, 'up', begunAt + at * 1000, begunAt + (at + 200) * 1000]),
    );
    expect(await database.store.db.selectFrom('ping').select('id').execute()).toHaveLength(200);
  });

  it('a ping with an unknown token writes nothing', async () => {
    const recordAll = createRecordAllPings(database.store);
    expect(await database.store.write((trx) => recordAll(trx, [ping('nobody', 1)]))).toEqual([{ known: false }]);
    expect(await database.store.db.selectFrom('ping').select('id').execute()).toEqual([]);
  });
});

function heartbeat(interval: number, gracePeriod: number): NormalMonitor {
  const parsed = validateMonitor({ type: 'heartbeat', name: 'job', interval, gracePeriod });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
}
