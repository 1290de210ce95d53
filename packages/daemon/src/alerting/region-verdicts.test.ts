import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NotedAbsences } from '../core/absence.ts';
import type { RegionView } from '../core/monitor-state.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
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
 * Returns the verdicts 20 s after the server started again. The region us last reported 20 minutes before that start.
 * The other regions reported until the server stopped.
 */
const verdicts = async () => {
  const view = (at: number, failed: boolean): RegionView => ({ at, failed, round: 'due', began: failed ? at : null });
  const [africa, eu, us] = regions as [number, number, number];
  const views = {
    [africa]: view(stoppedAt, false),
    [eu]: view(stoppedAt - minute, true),
    [us]: view(stoppedAt - 10 * minute, true),
  };
  const seen = { regions: views, watchedSince: 0, since: 0, intervalMs: minute };
  return (await database.store.write((trx) => regionVerdicts(trx, seen, startedAt + 20_000))).regions;
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
