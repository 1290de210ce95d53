import { expect, it } from 'vitest';
import type { Absences } from '../core/absence.ts';
import { newState } from '../core/lifecycle.ts';
import { stateToRow } from '../store/monitor-state-row.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createWallClockFollower } from './follow-wall-clock.ts';

const minute = 60_000;

it('the time for which the machine of the only API node was suspended is an absence, even if recording it fails at first', async () => {
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  try {
    const { store } = database;
    const clock = createFakeClock();
    const suspendedAt = clock.now();
    const row = { region: 1, started_at: 0, alive_at: suspendedAt };
    await store.db
      .insertInto('presence')
      .values([
        { ...row, instance: 'own', roles: 'api' },
        { ...row, instance: 'checker', roles: 'checker' },
      ])
      .execute();
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await store.db
      .insertInto('monitor')
      .values(monitorRow('job', 'prj', { config: '{"interval":600}' }))
      .execute();
    const { seq: monitor } = await store.db.selectFrom('monitor').select('seq').executeTakeFirstOrThrow();
    const waiting = { allowed_silence_ms: 60 * minute, ping_due_at: suspendedAt + minute };
    await store.db
      .insertInto('monitor_state')
      .values({
        ...stateToRow(newState(suspendedAt, false, [], null)),
        monitor,
        rolled_up_until: suspendedAt,
        ...waiting,
      })
      .execute();

    clock.setWall(10 * minute);
    await store.db.updateTable('presence').set({ alive_at: clock.wall() }).where('instance', '=', 'checker').execute();
    const instance = { name: 'own', region: 1, roles: ['api'] as const };
    const wallClock = () => Promise.resolve(clock.wall());
    const learned: Absences[] = [];
    const learn = (noted: Absences) => void learned.push(noted);
    const follow = createWallClockFollower({ clock, log: silentLog, store, instance, wallClock, learn });
    await store.db.schema.alterTable('presence').renameColumn('absences', 'gone').execute();
    await expect(follow()).rejects.toThrow('absences');
    await store.db.schema.alterTable('presence').renameColumn('gone', 'absences').execute();
    await follow();

    expect(clock.now()).toBe(suspendedAt + 10 * minute);
    const state = await store.db.selectFrom('monitor_state').select('ping_due_at').executeTakeFirstOrThrow();
    expect(state.ping_due_at).toBe(suspendedAt + 11 * minute);
    const own = await store.db
      .selectFrom('presence')
      .select('absences')
      .where('instance', '=', 'own')
      .executeTakeFirstOrThrow();
    const absences = { receiving: [{ from: suspendedAt, to: suspendedAt + 10 * minute }], checking: [] };
    expect(JSON.parse(own.absences) as Absences).toEqual(absences);
    expect(learned).toEqual([absences]);
  } finally {
    await database.dispose();
  }
});
