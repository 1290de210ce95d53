import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoles } from '../core/roles.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases } from '../testing/databases.ts';
import { createProbedProject, type ProbedProject } from '../testing/probed-project.ts';
import { begunAt, minute } from '../testing/watched-project.ts';
import { moveTimeline } from './move-timeline.ts';
import { recordAbsence } from './record-absence.ts';

describe.each(databases)('the uptime that late results show on $name', (database) => {
  let world: ProbedProject;
  beforeAll(async () => {
    world = await createProbedProject(database);
  });
  afterAll(() => world.database.dispose());

  const observeFirst = async (monitor: number) => {
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 2, '2');
  };
  const server = { name: 'serve:default', region: 1, roles: allRoles };

  const probe = { name: 'p', token: 'prb_eu', version: '1', queued: 0, first_seen_at: 0 };
  const stop = (from: number, until: number) =>
    recordAbsence(world.database.store, server, { from: begunAt + from * minute, to: begunAt + until * minute });

  test('late results count for the time in which the server was stopped', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    await recordAbsence(world.database.store, server, { from: begunAt + 3 * minute, to: begunAt + 63 * minute });
    expect(await world.observedMinutes(monitor)).toEqual({ up: 2, down: 0 });
    await world.arrive(monitor, 64, '3 4 5- 6- 7 8', { isLate: true });
    expect(await world.observedMinutes(monitor)).toEqual({ up: 5, down: 2 });
    // The same minutes do not count again. The result of minute 8 counts for three intervals.
    await world.arrive(monitor, 64, '4- 5- 6-', { isLate: true });
    await world.arrive(monitor, 64, '64');
    expect(await world.observedMinutes(monitor)).toEqual({ up: 8, down: 2 });
  });

  test('late results count for the time that a step of the clock skipped', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    await moveTimeline(world.database.store, { instance: server, from: begunAt + 3 * minute, byMs: 60 * minute }, null);
    // The step moves the times of the latest results as well.
    await world.arrive(monitor, 64, '5- 6- 7-', { isLate: true });
    expect(await world.observedMinutes(monitor)).toEqual({ up: 2, down: 2 });
  });

  test('an absence of the checkers does not affect monitors of a probe if another node received the results of that probe', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    const local = await world.add(['default']);
    const presence = { instance: 'serve:api', region: 1, started_at: 0, roles: 'api' };
    await world.database.store.db
      .insertInto('presence')
      .values({ ...presence, alive_at: begunAt + 63 * minute })
      .execute();
    await world.database.store.db
      .insertInto('probe')
      .values({ ...probe, region: world.region, seen_at: begunAt + 60 * minute })
      .execute();
    const checker = { ...server, roles: allRoles.filter((role) => role !== 'api') };
    await recordAbsence(world.database.store, checker, { from: begunAt + 3 * minute, to: begunAt + 63 * minute });
    await world.database.store.db.deleteFrom('presence').where('instance', '=', presence.instance).execute();
    expect((await world.timesOf(monitor)).rolledUpUntil).toBeLessThan(3);
    expect((await world.timesOf(local)).rolledUpUntil).toBe(63);
  });

  test('late results of a region count for a time in which the other region did not report, even if the other region has reported since', async () => {
    const other = await joinRegion(world.database.store, 'africa', begunAt);
    const monitor = await world.add(['eu', 'africa']);
    await world.arrive(monitor, 1, '1', { from: other });
    await world.arrive(monitor, 1.5, '1.5');
    await world.arrive(monitor, 5.5, '5.5!', { from: other });
    expect((await world.timesOf(monitor)).unobservedSince).toBe(2.5);
    await world.arrive(monitor, 11, '11', { from: other });
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 0 });
    await world.arrive(monitor, 11.5, '2.5- 3.5- 4.5 5.5 6.5 10.8- 11.2-', { isLate: true });
    // The monitor was down from minute 2.5 to 4.5, and from 10.8 to 11.
    expect((await world.observedMinutes(monitor)).down).toBeCloseTo(2.2);
  });

  test('a check without a verdict has no effect if another probe of its region has got a later verdict', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 5, '5');
    await world.arrive(monitor, 5.1, '5.05!', { takesMs: 0.1 * minute });
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    await world.arrive(monitor, 6, '6!');
    expect((await world.timesOf(monitor)).unobservedSince).toBe(6);
  });

  test('results that arrive in time also count for the time of a short stop of the server', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    await stop(2.5, 4.7);
    await world.arrive(monitor, 4.8, '3 4-');
    await world.arrive(monitor, 5, '5-');
    await world.arrive(monitor, 6, '6');
    expect(await world.timesOf(monitor)).toMatchObject({ unobserved: [] });
    // The monitor was up from minute 1 to 4, and down from 4 to 6.
    expect(await world.uptime(monitor, 6)).toMatchObject({ uptime: 60 });
  });

  test('late failures of one region do not lower the uptime until the other region has reported failures, too', async () => {
    const other = await joinRegion(world.database.store, 'us', begunAt);
    const monitor = await world.add(['eu', 'us']);
    await world.arrive(monitor, 1, '1');
    for (let at = 1; at <= 30; at++) await world.arrive(monitor, at + 0.5, String(at + 0.5), { from: other });
    // Both regions are cut off. The second region has not sent its results yet, so the failures of the first do not
    // count yet.
    await world.arrive(monitor, 50, '31- 32- 33- 34- 35-', { isLate: true });
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 0 });
    await world.arrive(monitor, 51, '31.5- 32.5- 33.5- 34.5- 35.5-', { isLate: true, from: other });
    // The monitor was up from minute 1.5 to 33, and down from 33 to 35.
    expect(await world.observedMinutes(monitor)).toEqual({ up: 31.5, down: 2 });
  });

  test('a majority of the regions decides the status for the time in which the server was stopped', async () => {
    const others = [];
    for (const name of ['mars', 'venus']) others.push(await joinRegion(world.database.store, name, begunAt));
    const regions = [world.region, ...others];
    const monitor = await world.add(['eu', 'mars', 'venus']);
    for (const from of regions) await world.arrive(monitor, 1, '1', { from });
    await stop(2, 62);
    const sent = ['2- 3- 4- 5- 6- 7-', '2 3 4 5- 6- 7-', '2 3 4 5 6 7'];
    const downAfter: number[] = [];
    for (const [at, from] of regions.entries()) {
      await world.arrive(monitor, 63, sent[at]!, { from, isLate: true });
      downAfter.push((await world.observedMinutes(monitor)).down);
    }
    // One region of three decides nothing. Two regions saw the failures of minutes 5 to 7.
    expect(downAfter).toEqual([0, 2, 2]);
    expect(await world.observedMinutes(monitor)).toEqual({ up: 4, down: 2 });
  });

  test('after a stop, late failures of one region count as soon as the other region reports in time again', async () => {
    const other = await joinRegion(world.database.store, 'moon', begunAt);
    const monitor = await world.add(['eu', 'moon']);
    for (const from of [world.region, other]) await world.arrive(monitor, 1, '1', { from });
    await stop(2, 62);
    await world.arrive(monitor, 63, '2- 3- 4- 5-', { isLate: true });
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 0 });
    await world.arrive(monitor, 63, '63', { from: other });
    await world.arrive(monitor, 64, '64');
    expect((await world.observedMinutes(monitor)).down).toBeGreaterThanOrEqual(3);
  });

  test('after a stop of the server, late failures of a probe count as soon as the server has checked from its own region again', async () => {
    const monitor = await world.add(['default', 'eu']);
    const local = (minutes: number, code: 'timeout' | null) =>
      world.check(world.project.finished(monitor, minutes, code, { region: world.project.region }));
    await local(1, null);
    await world.arrive(monitor, 1, '1');
    await stop(2, 62);
    await world.arrive(monitor, 62.5, '2- 3- 4- 5-', { isLate: true });
    await world.arrive(monitor, 63, '63');
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 0 });
    await local(63.4, null);
    await world.arrive(monitor, 64, '64');
    // The monitor was down from minute 2 to 5. The last failure then counts for three intervals.
    expect((await world.observedMinutes(monitor)).down).toBe(6);
  });

  test('the late results of two cut-off regions count together, even if the regions send them alternately', async () => {
    const other = await joinRegion(world.database.store, 'pluto', begunAt);
    const monitor = await world.add(['eu', 'pluto']);
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 1.5, '1.5', { from: other });
    for (let at = 2; at < 60; at++) {
      await world.arrive(monitor, 61, at < 20 ? `${at}` : `${at}-`, { isLate: true });
      await world.arrive(monitor, 61, at < 20 ? `${at}.5` : `${at}.5-`, { isLate: true, from: other });
    }
    const { up, down } = await world.observedMinutes(monitor);
    expect(up + down).toBeGreaterThan(55);
    expect(down).toBeGreaterThan(37);
    expect(down).toBeLessThan(40);
  });

  test('late failures of one region count after a week, even if the other region never reports again', async () => {
    const other = await joinRegion(world.database.store, 'ceres', begunAt);
    const monitor = await world.add(['eu', 'ceres']);
    for (const from of [world.region, other]) await world.arrive(monitor, 1, '1', { from });
    await stop(2, 62);
    await world.arrive(monitor, 63, '2- 3- 4- 5-', { isLate: true });
    const week = 7 * 24 * 60;
    await world.arrive(monitor, week, `${week}`);
    const before = (await world.observedMinutes(monitor)).down;
    await world.arrive(monitor, week + 9, `${week + 9}`);
    expect((await world.observedMinutes(monitor)).down - before).toBe(6);
  });

  test('the status before a stop of the server does not hide later results of another region', async () => {
    const other = await joinRegion(world.database.store, 'io', begunAt);
    const monitor = await world.add(['eu', 'io']);
    for (const from of [world.region, other]) await world.arrive(monitor, 1, '1-', { from });
    await stop(2, 62);
    await world.arrive(monitor, 62.5, '59', { isLate: true });
    await world.arrive(monitor, 62.6, '60 61 62');
    await world.arrive(monitor, 62.7, '59.5', { isLate: true, from: other });
    await world.arrive(monitor, 62.8, '60.5 61.5 62.5', { from: other });
    // The monitor was down from minute 1 to 2. The first results after the stop show that it was up from minute 59.
    expect((await world.observedMinutes(monitor)).down).toBeLessThanOrEqual(3);
  });

  test('after the clock stepped back, no time counts twice', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    await stop(3, 123);
    await moveTimeline(
      world.database.store,
      { instance: server, from: begunAt + 124 * minute, byMs: -60 * minute },
      null,
    );
    expect((await world.timesOf(monitor)).unobserved).toEqual([[3, 64]]);
  });

  test('time in which all checkers were absent is unobserved for a monitor whose region has a token but no probe', async () => {
    const monitor = await world.add();
    await observeFirst(monitor);
    const presence = { instance: 'serve:api', region: 1, started_at: 0, roles: 'api' };
    await world.database.store.db
      .insertInto('presence')
      .values({ ...presence, alive_at: begunAt + 63 * minute })
      .execute();
    await world.database.store.db.deleteFrom('probe').execute();
    const checker = { ...server, roles: allRoles.filter((role) => role !== 'api') };
    await recordAbsence(world.database.store, checker, { from: begunAt + 3 * minute, to: begunAt + 63 * minute });
    await world.database.store.db.deleteFrom('presence').where('instance', '=', presence.instance).execute();
    expect(await world.timesOf(monitor)).toMatchObject({ rolledUpUntil: 63, unobserved: [[3, 63]] });
  });
});
