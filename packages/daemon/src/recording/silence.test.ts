import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalOutcome } from '../checks/index.ts';
import { allRoles } from '../core/roles.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { createStatsReader } from '../resources/monitor-past/stats.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { steadyTime } from '../testing/record-check.ts';
import { begunAt, createWatchedProject, minute, type WatchedProject } from '../testing/watched-project.ts';
import { moveTimeline } from './move-timeline.ts';
import { recordAbsence } from './record-absence.ts';
import { rollUpMonitor } from './roll-up-monitor.ts';
import { noteUnobserved } from './note-unobserved.ts';
import { createOpenSlots } from './open-slots.ts';
import { createQuietChecks, type QuietChecks } from './quiet-checks.ts';
import { createOutcomeRecording, type RecordOutcomes } from './record-outcome.ts';

describe.each(databases)('while a region is silent on $name', ({ open }) => {
  let database: TestDatabase;
  let project: WatchedProject;
  let quiet: QuietChecks;
  let record: RecordOutcomes;
  let region: number;
  let count = 0;
  beforeAll(async () => {
    database = await open();
    project = await createWatchedProject(database.store);
    region = await joinRegion(database.store, 'eu', begunAt);
    const token = { id: 'prb_eu', region, digest: 'eu', created_at: begunAt };
    await database.store.db.insertInto('probe_token').values(token).execute();
    quiet = createQuietChecks(steadyTime);
    record = createOutcomeRecording(database.store, {
      renew: steadyTime.renew,
      quiet,
      slots: createOpenSlots(database.store),
    });
  });
  afterAll(() => database.dispose());

  const add = (regions: string[] = ['eu']) => project.addMonitor(`m${++count}`, { interval: 60, regions });
  /**
   * Records results of a probe that arrive together at minute `at`. `results` lists the minute of each check.
   * A minute has a `-` if the check failed, and an `!` if the probe itself was at fault. A `~` before a minute means
   * that the probe deleted results before this one. `isLate` means that the results arrived too late to be judged.
   */
  const arrive = async (monitor: number, at: number, results: string, { isLate = false, from = region } = {}) => {
    const checks = results.split(' ').map((word, place) => ({
      ...finished(monitor, word, from),
      arrived: { at: begunAt + at * minute, isLate, thinned: thinnedOf(results, place) },
      ...(isLate && { later: 'over' as const }),
    }));
    const recorded = await database.store.write((trx) => record(trx, checks));
    for (const [place, check] of checks.entries()) quiet.learn(check, recorded[place]!);
    return recorded;
  };
  /** The probe deleted results one minute apart between this result and the one before it. */
  const thinnedOf = (results: string, place: number) => {
    const words = results.split(' ');
    if (!words[place]!.startsWith('~')) return null;
    return { since: begunAt + Number.parseFloat(words[place - 1]!.replace('~', '')) * minute, longestGapMs: minute };
  };
  const finished = (monitor: number, word: string, from: number) => {
    const at = Number.parseFloat(word.replace('~', ''));
    const check = project.finished(monitor, at, /[-!]$/.test(word) ? 'timeout' : null, { region: from });
    return word.endsWith('!') ? { ...check, outcome: internalOutcome('The resolver is gone.') } : check;
  };
  const fallSilent = (at: number) =>
    noteUnobserved(database.store, { regions: [region], now: begunAt + at * minute, observingSince: begunAt, quiet });
  const uptime = async (monitor: number, at: number) => {
    const stats = await createStatsReader(database.store)(monitor, begunAt + at * minute);
    return { status: stats.status, uptime: stats.uptime24h };
  };
  const observedMinutes = async (monitor: number) => {
    const rows = await database.store.db
      .selectFrom('observed_day')
      .selectAll()
      .where('monitor', '=', monitor)
      .execute();
    const sum = (column: 'up_ms' | 'down_ms') => rows.reduce((total, row) => total + row[column], 0) / minute;
    return { up: sum('up_ms'), down: sum('down_ms') };
  };
  const blindSince = async (monitor: number) => {
    const { blind_since: since } = await database.store.db
      .selectFrom('monitor_state')
      .select('blind_since')
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    return since === null ? null : (since - begunAt) / minute;
  };

  const rolledUpUntil = async (monitor: number) => {
    const row = await database.store.db
      .selectFrom('monitor_state')
      .select('rolled_up_until')
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    return (row.rolled_up_until - begunAt) / minute;
  };

  test('a monitor of only that region counts as unobserved from three intervals after the last result', async () => {
    const monitor = await add();
    await arrive(monitor, 1, '1');
    await fallSilent(3);
    expect(await blindSince(monitor)).toBeNull();
    await fallSilent(4.5);
    expect(await blindSince(monitor)).toBe(4);
    // The first 30 minutes are rolled up. Then the first result after the silence says that the monitor is down.
    await database.store.write((trx) => rollUpMonitor(trx, monitor, begunAt + 30 * minute));
    expect(await uptime(monitor, 40)).toEqual({ status: 'up', uptime: 100 });
    await arrive(monitor, 41, '41-');
    expect(await observedMinutes(monitor)).toEqual({ up: 3, down: 0 });
    await arrive(monitor, 42, '42');
    expect(await observedMinutes(monitor)).toEqual({ up: 3, down: 1 });
    expect(await blindSince(monitor)).toBeNull();
  });

  test('late results count at the times of their checks, even if the monitor was marked as unobserved twice', async () => {
    const monitor = await add();
    await arrive(monitor, 1, '1');
    await fallSilent(10);
    await fallSilent(11);
    await database.store.write((trx) => rollUpMonitor(trx, monitor, begunAt + 12 * minute));
    await arrive(monitor, 20, '2 3 4- 5- 6', { isLate: true });
    expect(await observedMinutes(monitor)).toEqual({ up: 3, down: 2 });
    await arrive(monitor, 20, '7 8 15 16', { isLate: true });
    await arrive(monitor, 20, '17 18 19');
    // Nothing is known about minutes 11 to 15. The last result before them is from minute 8, and a result counts for
    // three intervals.
    expect(await observedMinutes(monitor)).toMatchObject({ down: 2 });
    expect(await uptime(monitor, 20)).toMatchObject({
      status: 'up',
      uptime: expect.closeTo((13 / 15) * 100, 3) as number,
    });
  });

  test('if a probe thinned its results, the time between two late ones counts', async () => {
    const monitor = await add();
    await arrive(monitor, 1, '1');
    await fallSilent(10);
    await arrive(monitor, 100, '2- ~50- 51 ~98', { isLate: true });
    await arrive(monitor, 100, '99 100');
    expect(await observedMinutes(monitor)).toMatchObject({ down: 49 });
    expect(await uptime(monitor, 100)).toEqual({ status: 'up', uptime: expect.closeTo(50.505, 2) as number });
  });

  test('a gap without results does not count, if the verdicts before and after it differ', async () => {
    const monitor = await add();
    await arrive(monitor, 1, '1');
    await arrive(monitor, 60, '2- ~50', { isLate: true });
    expect(await observedMinutes(monitor)).toMatchObject({ down: 3 });
  });

  test('a checker fault in one region does not make the monitor unobserved while another region reports', async () => {
    const other = await joinRegion(database.store, 'asia', begunAt);
    const monitor = await add(['eu', 'asia']);
    for (const at of [1, 2, 3, 4]) {
      await arrive(monitor, at, String(at), { from: other });
      await arrive(monitor, at + 0.3, `${at + 0.3}!`);
      expect(await blindSince(monitor)).toBeNull();
    }
    expect(await uptime(monitor, 4.5)).toEqual({ status: 'up', uptime: 100 });
    // The other region falls silent. The last report counts for an interval.
    await arrive(monitor, 7.5, '7.5!');
    expect(await blindSince(monitor)).toBe(5);
  });

  test('a checker fault in one region is retried soon, even if another region reports', async () => {
    const other = await joinRegion(database.store, 'asia', begunAt);
    const monitor = await add(['eu', 'asia']);
    await arrive(monitor, 1, '1');
    await arrive(monitor, 1.5, '1.5', { from: other });
    const retryAfterMs = async (at: number) => {
      const [recorded] = await arrive(monitor, at, `${at}!`);
      return recorded!.schedule!.nextAt! - (begunAt + at * minute);
    };
    expect(await retryAfterMs(2)).toBe(1000);
    expect(await retryAfterMs(2.1)).toBe(6000);
    expect(await retryAfterMs(4)).toBe(30_000);
  });

  test('a failure lowers the uptime even if its result arrives more than two intervals late', async () => {
    const monitor = await add();
    await arrive(monitor, 1, '1');
    await arrive(monitor, 4.5, '2-', { isLate: true });
    await arrive(monitor, 4.5, '3 4');
    expect(await observedMinutes(monitor)).toEqual({ up: 1, down: 1 });
    expect(await uptime(monitor, 5)).toEqual({ status: 'up', uptime: 75 });
  });

  test('late results do not change the uptime if another region reported in that time', async () => {
    const other = await joinRegion(database.store, 'us', begunAt);
    const monitor = await add(['eu', 'us']);
    await arrive(monitor, 1, '1');
    await arrive(monitor, 1, '1.1', { from: other });
    await fallSilent(20);
    expect(await blindSince(monitor)).toBeNull();
    for (const at of [4, 7, 10, 13, 16]) await arrive(monitor, at, String(at), { from: other });
    await arrive(monitor, 16, '2- 3- 4- 5- 6- 13-', { isLate: true });
    expect(await uptime(monitor, 17)).toEqual({ status: 'up', uptime: 100 });
  });

  const observeFirst = async (monitor: number) => {
    await arrive(monitor, 1, '1');
    await arrive(monitor, 2, '2');
  };
  const server = { name: 'serve:default', region: 1, roles: allRoles };

  test('late results count in the time in which the server was stopped', async () => {
    const monitor = await add();
    await observeFirst(monitor);
    await recordAbsence(database.store, server, begunAt + 3 * minute, begunAt + 63 * minute);
    expect(await observedMinutes(monitor)).toEqual({ up: 2, down: 0 });
    await arrive(monitor, 64, '3 4 5- 6- 7 8', { isLate: true });
    expect(await observedMinutes(monitor)).toEqual({ up: 5, down: 2 });
    // The same minutes do not count again. Minute 8 counts for three intervals.
    await arrive(monitor, 64, '4- 5- 6-', { isLate: true });
    await arrive(monitor, 64, '64');
    expect(await observedMinutes(monitor)).toEqual({ up: 8, down: 2 });
  });

  test('late results count in the time that a step of the clock skipped', async () => {
    const monitor = await add();
    await observeFirst(monitor);
    await moveTimeline(database.store, { instance: server, from: begunAt + 3 * minute, byMs: 60 * minute }, null);
    // The step moves the times of the latest results as well.
    await arrive(monitor, 64, '5- 6- 7-', { isLate: true });
    expect(await observedMinutes(monitor)).toEqual({ up: 2, down: 2 });
  });

  test('time without checkers counts if another node received the results of the probes', async () => {
    const monitor = await add();
    await observeFirst(monitor);
    const local = await add(['default']);
    const presence = { instance: 'serve:api', region: 1, started_at: 0, roles: 'api' };
    await database.store.db
      .insertInto('presence')
      .values({ ...presence, alive_at: begunAt + 63 * minute })
      .execute();
    const checker = { ...server, roles: allRoles.filter((role) => role !== 'api') };
    await recordAbsence(database.store, checker, begunAt + 3 * minute, begunAt + 63 * minute);
    await database.store.db.deleteFrom('presence').where('instance', '=', presence.instance).execute();
    expect(await rolledUpUntil(monitor)).toBeLessThan(3);
    expect(await rolledUpUntil(local)).toBe(63);
  });

  test('late results count if another region has reported in time since, and only where it had not', async () => {
    const other = await joinRegion(database.store, 'africa', begunAt);
    const monitor = await add(['eu', 'africa']);
    await arrive(monitor, 1, '1', { from: other });
    await arrive(monitor, 1.5, '1.5');
    await arrive(monitor, 5.5, '5.5!', { from: other });
    expect(await blindSince(monitor)).toBe(2.5);
    await arrive(monitor, 11, '11', { from: other });
    expect(await observedMinutes(monitor)).toMatchObject({ down: 0 });
    await arrive(monitor, 11.5, '2.5- 3.5- 4.5 5.5 6.5 10.8- 11.2-', { isLate: true });
    // It was down from minute 2.5 to 4.5, and from 10.8 to 11.
    expect((await observedMinutes(monitor)).down).toBeCloseTo(2.2);
  });
});
