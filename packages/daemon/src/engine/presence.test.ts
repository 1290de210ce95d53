import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRoles } from '../core/roles.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { type Presence, startPresence } from './presence.ts';

const minute = 60_000;
const pings = { settled: async () => {}, refusedForMs: () => null };

describe.each(databases)('the absences that a daemon knows on $name', ({ open }) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let running: Presence[];
  beforeEach(async () => {
    [database, clock, running] = [await open(), createFakeClock(), []];
  });
  afterEach(async () => {
    for (const presence of running) await presence.stop();
    await database.dispose();
  });

  const start = async (name = 'serve:default'): Promise<Presence> => {
    const { store } = database;
    const region = await joinRegion(store, 'default', clock.now());
    const node = { name, region, roles: allRoles };
    const presence = await startPresence({ clock, log: silentLog, random: Math.random }, store, node, pings);
    running.push(presence);
    return presence;
  };
  const crash = () => {
    running.pop();
    return database.store.db.updateTable('presence').set({ ended_at: null }).execute();
  };
  /** Lets time pass, and then records a sign of life. */
  const beatAfter = async (ms: number, presence: Presence) => {
    clock.jump(ms);
    await presence.confirm();
  };

  it('are an empty list at the first start', async () => {
    expect((await start()).absences().receiving).toEqual([]);
  });

  it('include the time between two runs and a later stall, and move with each step of the clock', async () => {
    const first = clock.now();
    await (await start()).stop();
    await crash();
    clock.jump(5 * minute);
    const presence = await start();
    const restarted = { from: first, to: clock.now() };
    expect(presence.absences().receiving).toEqual([restarted]);
    for (let second = 0; second < 20; second++) await beatAfter(1000, presence);
    const stalled = { from: clock.now(), to: clock.now() + 10_000 };
    clock.jump(10_000);
    expect(presence.absences().receiving).toEqual([restarted, stalled]);
    await presence.confirm();
    const before = presence.absences().receiving;
    expect(before).toEqual([restarted, stalled]);
    clock.step(3_600_000);
    expect(presence.absences().receiving).toEqual(
      before.map(({ from, to }) => ({ from: from + 3_600_000, to: to + 3_600_000 })),
    );
  });

  it('include a time that the daemon leaves out', async () => {
    const presence = await start();
    const leftOut = { from: clock.now() - minute, to: clock.now() - 20_000 };
    presence.leaveOut(leftOut);
    expect(presence.absences().receiving).toEqual([leftOut]);
    const stalled = { from: clock.now(), to: clock.now() + 10_000 };
    await beatAfter(10_000, presence);
    expect(presence.absences().receiving).toEqual([leftOut, stalled]);
  });

  it('include what other nodes note while the daemon runs, except on SQLite, which has no other nodes', async () => {
    const presence = await start();
    await beatAfter(1000, presence);
    const absence = { from: clock.now() - 2 * minute, to: clock.now() - minute };
    await database.store.db
      .insertInto('presence')
      .values({
        instance: 'peer',
        region: 1,
        started_at: 0,
        alive_at: clock.now(),
        absences: JSON.stringify({ receiving: [absence] }),
      })
      .execute();
    await beatAfter(1000, presence);
    expect(presence.absences().receiving).toEqual(database.store.dialect.exclusive ? [] : [absence]);
  });
});
