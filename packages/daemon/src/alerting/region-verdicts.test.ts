import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NotedAbsences } from '../core/absence.ts';
import type { Notice } from '../channels/notice.ts';
import type { RegionView } from '../core/monitor-state.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createProbedProject } from '../testing/probed-project.ts';
import { regionVerdicts } from './region-verdicts.ts';

const minute = 60_000;
const stoppedAt = Date.UTC(2026, 0, 2);
const startedAt = stoppedAt + 10 * minute;

let database: TestDatabase;
let regions: number[];

beforeEach(async () => {
  database = await databases[0]!.open();
  regions = [];
  for (const name of ['africa', 'eu', 'us']) regions.push(await joinRegion(database.store, name, stoppedAt));
});
afterEach(() => database.dispose());

const noteAbsences = async (absences: NotedAbsences) => {
  const node = { instance: 'serve:only', region: 1, started_at: startedAt, alive_at: startedAt };
  await database.store.db
    .insertInto('presence')
    .values({ ...node, absences: JSON.stringify(absences) })
    .execute();
};

/**
 * Returns the verdicts 20 s after the server started again. The last report of the region `us` came 20 minutes before
 * that start. The other regions reported until the server stopped.
 */
const verdicts = async (reporting: number | null = null) => {
  const view = (at: number, failed: boolean): RegionView => ({ at, failed, round: 'due', began: failed ? at : null });
  const [africa, eu, us] = regions as [number, number, number];
  const views = {
    [africa]: view(stoppedAt, false),
    [eu]: view(stoppedAt - minute, true),
    [us]: view(stoppedAt - 10 * minute, true),
  };
  const times = { watchedSince: 0, since: 0, intervalMs: minute, now: startedAt + 20_000 };
  const seen = { regions: views, ...times, reporting };
  return (await database.store.write((trx) => regionVerdicts(trx, seen))).regions;
};

test('after a stop of the server, a message names the regions that failed and passed before the stop', async () => {
  const absence = [{ from: stoppedAt, to: startedAt }];
  await noteAbsences({ receiving: absence, checking: absence });
  expect(await verdicts()).toEqual({ failed: ['eu'], passed: ['africa'], unknown: ['us'] });
});

test('without a stop of the server, a message names regions that have not reported for three intervals as unknown', async () => {
  await noteAbsences({ receiving: [], checking: [] });
  expect(await verdicts()).toEqual({ failed: [], passed: [], unknown: ['africa', 'eu', 'us'] });
});

test('a message never names a region as unknown if a result of that region caused the message, even an old result', async () => {
  await noteAbsences({ receiving: [], checking: [] });
  expect(await verdicts(regions[2])).toEqual({ failed: ['us'], passed: [], unknown: ['africa', 'eu'] });
});

test('after a delayed result of a probe, a message names the regions that were silent when the result arrived as unknown', async () => {
  const { database, project, add, arrive } = await createProbedProject(databases[0]!);
  try {
    const { store } = database;
    const africa = { from: await joinRegion(store, 'africa', stoppedAt) };
    const monitor = await add(['eu', 'africa']);
    await project.addRule('down', { monitors: [monitor], channels: [await project.addChannel('chat')] });
    await arrive(monitor, 1, '1');
    await arrive(monitor, 1, '1', africa);
    // The region africa became silent after this check ended and before its result arrived.
    await arrive(monitor, 4.5, '3-');
    await arrive(monitor, 5, '5-', africa);
    await arrive(monitor, 8.5, '7');
    const sent = await store.db.selectFrom('delivery').select('notice').orderBy('seq').execute();
    const notices = sent.map(({ notice }) => JSON.parse(notice) as Notice);
    expect(notices.map(({ kind, regions }) => ({ kind, regions }))).toEqual([
      { kind: 'alarm', regions: { failed: ['eu'], passed: [], unknown: ['africa'] } },
      { kind: 'recovery', regions: { failed: [], passed: ['eu'], unknown: ['africa'] } },
    ]);
  } finally {
    await database.dispose();
  }
});
