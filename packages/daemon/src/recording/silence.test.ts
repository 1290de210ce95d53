import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases } from '../testing/databases.ts';
import { createProbedProject, type ProbedProject } from '../testing/probed-project.ts';
import { begunAt, minute } from '../testing/watched-project.ts';
import { rollUpMonitor } from './roll-up-monitor.ts';

describe.each(databases)('while a region is silent on $name', (database) => {
  let world: ProbedProject;
  beforeAll(async () => {
    world = await createProbedProject(database);
  });
  afterAll(() => world.database.dispose());

  test('a monitor that only the silent region checks counts as unobserved from three intervals after its last result', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 1, '1');
    await world.fallSilent(3);
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    await world.fallSilent(4.5);
    expect((await world.timesOf(monitor)).unobservedSince).toBe(4);
    // The first 30 minutes are rolled up. Then the first result after the silence says that the monitor is down.
    await world.database.store.write((trx) => rollUpMonitor(trx, monitor, begunAt + 30 * minute));
    expect(await world.uptime(monitor, 40)).toEqual({ status: 'up', uptime: 100 });
    await world.arrive(monitor, 41, '41-');
    expect(await world.observedMinutes(monitor)).toEqual({ up: 3, down: 0 });
    await world.arrive(monitor, 42, '42');
    expect(await world.observedMinutes(monitor)).toEqual({ up: 3, down: 1 });
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
  });

  test('a monitor counts as unobserved only if all its regions are silent', async () => {
    const other = await joinRegion(world.database.store, 'africa', begunAt);
    const monitor = await world.add(['eu', 'africa']);
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 2, '2', { from: other });
    await world.fallSilent(20);
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    expect(await world.fallSilent(4.5, [world.region, other])).toBe(true);
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    expect(await world.fallSilent(60, [world.region, other])).toBe(false);
    expect((await world.timesOf(monitor)).unobservedSince).toBe(5);
  });

  test('late results count at the times of their checks, even if the monitor was marked as unobserved twice', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 1, '1');
    await world.fallSilent(10);
    await world.fallSilent(11);
    await world.database.store.write((trx) => rollUpMonitor(trx, monitor, begunAt + 12 * minute));
    await world.arrive(monitor, 20, '2 3 4- 5- 6', { isLate: true });
    expect(await world.observedMinutes(monitor)).toEqual({ up: 3, down: 2 });
    await world.arrive(monitor, 20, '7 8 15 16', { isLate: true });
    await world.arrive(monitor, 20, '17 18 19');
    // Nothing is known about minutes 11 to 15. The last result before them is from minute 8, and a result counts for
    // three intervals.
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 2 });
    expect(await world.uptime(monitor, 20)).toMatchObject({
      status: 'up',
      uptime: expect.closeTo((13 / 15) * 100, 3) as number,
    });
  });

  test('the time between two late results with the same verdict counts, even if the probe deleted results in between', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 1, '1');
    await world.fallSilent(10);
    await world.arrive(monitor, 100, '2- ~50- 51 ~98', { isLate: true });
    await world.arrive(monitor, 100, '99 100');
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 49 });
    expect(await world.uptime(monitor, 100)).toEqual({ status: 'up', uptime: expect.closeTo(50.505, 2) as number });
  });

  test('time without results does not count if the verdicts before and after that time differ', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 60, '2- ~50', { isLate: true });
    expect(await world.observedMinutes(monitor)).toMatchObject({ down: 3 });
  });

  test('a checker fault in one region does not make the monitor unobserved while another region reports', async () => {
    const other = await joinRegion(world.database.store, 'asia', begunAt);
    const monitor = await world.add(['eu', 'asia']);
    for (const at of [1, 2, 3, 4]) {
      await world.arrive(monitor, at, String(at), { from: other });
      await world.arrive(monitor, at + 0.3, `${at + 0.3}!`);
      expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    }
    expect(await world.uptime(monitor, 4.5)).toEqual({ status: 'up', uptime: 100 });
    // The other region falls silent. The last report counts for an interval.
    await world.arrive(monitor, 7.5, '7.5!');
    expect((await world.timesOf(monitor)).unobservedSince).toBe(5);
  });

  test('a checker fault in one region is retried soon, even if another region reports', async () => {
    const other = await joinRegion(world.database.store, 'asia', begunAt);
    const monitor = await world.add(['eu', 'asia']);
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 1.5, '1.5', { from: other });
    const retryAfterMs = async (at: number) => {
      const [recorded] = await world.arrive(monitor, at, `${at}!`);
      return recorded!.schedule!.nextAt! - (begunAt + at * minute);
    };
    expect(await retryAfterMs(2)).toBe(1000);
    expect(await retryAfterMs(2.1)).toBe(6000);
    expect(await retryAfterMs(4)).toBe(30_000);
  });

  test('a region from which nothing has ever checked does not keep a monitor observed', async () => {
    const monitor = await world.add(['eu', 'typo']);
    await world.arrive(monitor, 5, '1 2 3 4 5');
    await world.fallSilent(20);
    expect((await world.timesOf(monitor)).unobservedSince).toBe(8);
  });

  test('a failure lowers the uptime even if its result arrives more than two intervals late', async () => {
    const monitor = await world.add();
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 4.5, '2-', { isLate: true });
    await world.arrive(monitor, 4.5, '3 4');
    expect(await world.observedMinutes(monitor)).toEqual({ up: 1, down: 1 });
    expect(await world.uptime(monitor, 5)).toEqual({ status: 'up', uptime: 75 });
  });

  test('late results of a region do not change the uptime if another region reported at the time of their checks', async () => {
    const other = await joinRegion(world.database.store, 'us', begunAt);
    const monitor = await world.add(['eu', 'us']);
    await world.arrive(monitor, 1, '1');
    await world.arrive(monitor, 1, '1.1', { from: other });
    await world.fallSilent(20);
    expect((await world.timesOf(monitor)).unobservedSince).toBeNull();
    for (const at of [4, 7, 10, 13, 16]) await world.arrive(monitor, at, String(at), { from: other });
    await world.arrive(monitor, 16, '2- 3- 4- 5- 6- 13-', { isLate: true });
    expect(await world.uptime(monitor, 17)).toEqual({ status: 'up', uptime: 100 });
  });
});
