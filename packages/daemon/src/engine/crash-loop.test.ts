import { allRoles } from '../core/roles.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinRegion } from '../lifecycle/join-region.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { type Presence, startPresence } from './presence.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases[0]!.open();
});
afterEach(() => database.dispose());

it('a daemon counts its earlier runs that crashed soon after their start, and forgets them after a clean stop', async () => {
  const { store } = database;
  const clock = createFakeClock();
  const region = await joinRegion(store, 'default', clock.now());
  const pings = { settled: async () => {}, refusedForMs: () => null };
  const running: Presence[] = [];
  const start = async () => {
    await clock.advance(1000);
    const presence = await startPresence(
      { clock, log: silentLog, random: Math.random },
      store,
      { name: 'serve:default', region, roles: allRoles },
      pings,
    );
    running.push(presence);
    return presence.shortRuns;
  };
  expect([await start(), await start(), await start(), await start()]).toEqual([0, 1, 2, 3]);
  for (const presence of running) await presence.stop();
  expect(await start()).toBe(0);
  await running.at(-1)!.stop();
});
