import { expect, it } from 'vitest';
import { newState } from '../core/lifecycle.ts';
import type { Role } from '../core/roles.ts';
import { parseAbsences } from '../store/noted-absences.ts';
import { stateToRow } from '../store/monitor-state-row.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { startPresence } from './presence.ts';

const minute = 60_000;
const roles: readonly Role[] = ['api'];

it('if the machine of the only API node was suspended, that time is an absence, even if recording it fails at first', async () => {
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  try {
    const { store } = database;
    const clock = createFakeClock();
    const node = { name: 'own', region: 1, roles };
    const deps = { clock, log: silentLog, random: Math.random };
    const pings = { settled: async () => {}, refusedForMs: () => null };
    const wallClock = () => Promise.resolve(clock.wall());
    const presence = await startPresence(deps, store, node, pings, wallClock);
    const suspendedAt = clock.now();
    const checker = { instance: 'checker', region: 2, started_at: 0, alive_at: suspendedAt, roles: 'checker' };
    await store.db.insertInto('presence').values(checker).execute();
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
    const resumedAt = clock.wall();
    await store.db.updateTable('presence').set({ alive_at: resumedAt }).where('instance', '=', 'checker').execute();
    await presence.confirm();
    expect(clock.now()).toBe(resumedAt);
    const suspension = { from: suspendedAt, to: resumedAt };
    expect(presence.absences().receiving).toEqual([suspension]);
    await store.db.schema.alterTable('presence').renameColumn('absences', 'gone').execute();
    await expect(presence.confirm()).rejects.toThrow('absences');
    const aliveAt = async () =>
      (await store.db.selectFrom('presence').select('alive_at').where('instance', '=', 'own').executeTakeFirstOrThrow())
        .alive_at;
    // To other nodes, a sign of life means that this node has recorded all earlier pings. So there is no new sign until
    // the absence is recorded.
    expect(await aliveAt()).toBeLessThan(suspendedAt + minute);
    await store.db.schema.alterTable('presence').renameColumn('gone', 'absences').execute();
    await presence.confirm();

    expect(await aliveAt()).toBe(resumedAt);
    const state = await store.db.selectFrom('monitor_state').select('ping_due_at').executeTakeFirstOrThrow();
    expect(state.ping_due_at).toBe(suspendedAt + 11 * minute);
    const own = await store.db
      .selectFrom('presence')
      .select('absences')
      .where('instance', '=', 'own')
      .executeTakeFirstOrThrow();
    expect(parseAbsences(own.absences)).toEqual({ receiving: [suspension], checking: [] });
    await presence.stop();
  } finally {
    await database.dispose();
  }
});
