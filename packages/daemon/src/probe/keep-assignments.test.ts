import { afterAll, beforeAll, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { testVault } from '../testing/test-vault.ts';
import { createKeptAssignments } from './keep-assignments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await databases[0]!.open();
});
afterAll(() => database.dispose());

test('a probe ignores an unknown field of a newer server if the field has its default value, and otherwise reports a fault', async () => {
  const { store } = database;
  const kept = createKeptAssignments({ clock: createFakeClock(0), log: silentLog }, store, testVault());
  const assign = (monitor: number, defaults?: string[]) => {
    const fields = { type: 'tcp', host: 'h', port: 1, interval: 60, regions: ['eu'], madeUp: 7 };
    const version = { monitor, generation: 0, updatedAt: 0 };
    const assignments = [{ ...version, project: 'p', dueAt: 0, fields, ...(defaults && { defaults }) }];
    return kept.apply({ region: { id: 1, name: 'eu' }, assignments, unavailable: [], removed: [] } as never);
  };
  const stored = async () => (await store.db.selectFrom('monitor').select('seq').execute()).map(({ seq }) => seq);
  await assign(1, ['madeUp']);
  expect(await stored()).toEqual([1]);
  expect(kept.fault()).toBeNull();
  await assign(2, ['timeout']);
  await assign(3);
  expect(await stored()).toEqual([1]);
  expect(kept.fault()).toBe('2 monitor(s) need a newer version of the probe.');
  await assign(2, ['madeUp']);
  await assign(3, ['madeUp']);
  expect(kept.fault()).toBeNull();
});

test('the fault for a monitor that the probe cannot check lasts while the probe asks for the monitor again', async () => {
  await using own = await databases[0]!.open().then((database) => ({
    ...database,
    [Symbol.asyncDispose]: () => database.dispose(),
  }));
  const clock = createFakeClock(0);
  const kept = createKeptAssignments({ clock, log: silentLog }, own.store, testVault());
  const fields = { type: 'tcp', host: 'h', port: 1, interval: 60, regions: ['eu'], madeUp: 7 };
  const assignment = { monitor: 1, generation: 0, updatedAt: 0, project: 'p', dueAt: 0, fields };
  const answer = { region: { id: 1, name: 'eu' }, assignments: [assignment], unavailable: [], removed: [] };
  await kept.apply(answer as never);
  const first = (await kept.versions()).get(1);
  clock.jump(3_600_000);
  const again = (await kept.versions()).get(1);
  expect([first, again]).toEqual([expect.any(String), expect.any(String)]);
  expect(again).not.toBe(first);
  expect(kept.fault()).not.toBeNull();
  await kept.apply({ ...answer, assignments: [], removed: [1] } as never);
  expect([...(await kept.versions())]).toEqual([]);
  expect(kept.fault()).toBeNull();
});
