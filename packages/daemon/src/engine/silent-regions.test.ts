import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '../deps.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { startSilentRegions } from './silent-regions.ts';
import type { Loop } from './loop.ts';
import { noAbsences } from '../core/absence.ts';

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
const start = (observingSince = clock.now()) => {
  const quiet = { withTimes: <T>(_: number, state: T) => state };
  const options = { observingSince: () => observingSince, absences: () => noAbsences, quiet };
  running.push(startSilentRegions({ clock, log }, database.store, options));
};
const report = () => database.store.db.updateTable('region').set({ seen_at: clock.now() }).execute();

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
