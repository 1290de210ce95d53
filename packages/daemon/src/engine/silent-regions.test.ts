import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '../deps.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { createProbedProject } from '../testing/probed-project.ts';
import { begunAt, minute } from '../testing/watched-project.ts';
import { startSilentRegions } from './silent-regions.ts';
import type { Loop } from './loop.ts';
import { noAbsences } from '../core/absence.ts';
import { hourMs } from '../core/uptime.ts';

let database: TestDatabase;
let clock: FakeClock;
let lines: string[];
const running: Loop[] = [];

beforeEach(async () => {
  database = await databases[0]!.open();
  clock = createFakeClock();
  lines = [];
  await joinRegion(database.store, 'eu', clock.now());
});
afterEach(async () => {
  for (const loop of running.splice(0)) await loop.stop();
  await database.dispose();
});

const note = (_: object, line?: string) => void lines.push(line ?? '');
const log: Logger = { debug() {}, info: note, warn: note, error: note };
const quiet = { withTimes: <T>(_: number, state: T) => state };
const start = (observingSince = clock.now(), absences = () => noAbsences) => {
  const options = { observingSince: () => observingSince, absences, quiet };
  running.push(startSilentRegions({ clock, log }, database.store, options));
};
/** Starts the loop. Each of its searches for unobserved monitors takes `tookMs`. Returns how many searches began. */
const startSlow = (tookMs: number) => {
  let searches = 0;
  start(clock.now(), () => {
    searches++;
    clock.jump(tookMs);
    return noAbsences;
  });
  return () => searches;
};
const report = () => database.store.db.updateTable('region').set({ seen_at: clock.now() }).execute();
const retire = (name: string) =>
  database.store.db
    .updateTable('region')
    .set((row) => ({ retired_at: row.ref('seen_at') }))
    .where('name', '=', name)
    .execute();

test('several daemons together log once that a region is silent, and once that it reports again', async () => {
  start();
  start();
  await clock.advance(29_000);
  expect(lines).toEqual([]);
  await clock.advance(60_000);
  expect(lines).toEqual(['a region is silent: its results are missing, and verdicts leave it out']);
  await report();
  await clock.advance(10_000);
  await report();
  await clock.advance(10_000);
  expect(lines.slice(1)).toEqual(['a silent region reports again']);
});

test('a daemon waits for reports of probes before it logs a silent region, and does not log the region again after a restart', async () => {
  start(clock.now() + 60_000);
  await clock.advance(85_000);
  expect(lines).toEqual([]);
  await clock.advance(10_000);
  expect(lines).toHaveLength(1);
  start();
  await clock.advance(10_000);
  expect(lines).toHaveLength(1);
});

test('searches for unobserved monitors take about 1 % of the time, and 0.1 % if all silent regions are retired', async () => {
  const searches = startSlow(500);
  await clock.advance(35_000);
  expect(searches()).toBe(1);
  await clock.advance(600_000);
  expect(searches()).toBeGreaterThanOrEqual(10);
  expect(searches()).toBeLessThanOrEqual(13);
  await retire('eu');
  await clock.advance(60_000);
  const before = searches();
  await clock.advance(400_000);
  expect(searches()).toBe(before);
  await clock.advance(200_000);
  expect(searches()).toBe(before + 1);
});

test('a search begins shortly before each full hour, so that the rollup of the hour knows all unobserved monitors', async () => {
  const hour = (Math.floor(clock.now() / hourMs) + 1) * hourMs;
  clock = createFakeClock(hour - 4 * minute);
  const searchedAt: number[] = [];
  start(clock.now(), () => {
    searchedAt.push(clock.now());
    clock.jump(2000);
    return noAbsences;
  });
  await clock.advance(4 * minute);
  expect(searchedAt.filter((at) => at >= hour - 10_000 && at < hour)).toHaveLength(1);
});

test('a search begins at once when another region falls silent, when a region falls silent again, and after a restart', async () => {
  const searches = startSlow(2000);
  await clock.advance(40_000);
  expect(searches()).toBe(1);
  await joinRegion(database.store, 'us', clock.now());
  await clock.advance(20_000);
  expect(searches()).toBe(1);
  await clock.advance(25_000);
  expect(searches()).toBe(2);
  await report();
  await clock.advance(20_000);
  expect(searches()).toBe(2);
  await clock.advance(25_000);
  expect(searches()).toBe(3);
  await running.pop()!.stop();
  const afterRestart = startSlow(2000);
  await clock.advance(45_000);
  expect(afterRestart()).toBe(1);
});

test('if all silent regions are retired, monitors that wait are marked soon, and edited monitors later', async () => {
  const world = await createProbedProject(databases[0]!);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => world.database.dispose());
  const { store } = world.database;
  const other = await joinRegion(store, 'us', begunAt);
  const waiting = await world.add(['eu']);
  const edited = await world.add(['eu', 'us']);
  for (const monitor of [waiting, edited]) await world.arrive(monitor, 1, '1');
  await world.arrive(edited, 1, '1', { from: other });
  const reportsAt = begunAt + 1000 * minute;
  await store.db.updateTable('region').set({ seen_at: reportsAt }).where('id', '=', other).execute();
  await store.db.updateTable('region').set({ retired_at: begunAt }).where('id', '!=', other).execute();
  clock = createFakeClock(begunAt + minute);
  const absences = () => {
    clock.jump(500);
    return noAbsences;
  };
  const loop = startSilentRegions({ clock, log }, store, { observingSince: () => begunAt, absences, quiet });
  opened.defer(() => loop.stop());
  await clock.advance(5 * minute);
  expect((await world.timesOf(waiting)).unobservedSince).toBe(4);
  await store.db.deleteFrom('schedule').where('monitor', '=', edited).where('region', '=', other).execute();
  await clock.advance(10 * minute);
  expect((await world.timesOf(edited)).unobservedSince).toBe(4);
});
