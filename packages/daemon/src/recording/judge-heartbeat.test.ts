import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newState } from '../core/lifecycle.ts';
import { stateToRow } from '../store/monitor-state-row.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { judgeHeartbeat } from './judge-heartbeat.ts';

const begunAt = Date.UTC(2026, 0, 2);
const minute = 60_000;

describe.each(databases)('the silence of a heartbeat on $name', ({ open }) => {
  let database: TestDatabase;
  let monitor: number;
  beforeAll(async () => {
    database = await open();
    await database.store.db.insertInto('project').values(projectRow('prj')).execute();
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    const { db } = database.store;
    await db.deleteFrom('monitor').execute();
    const added = await db
      .insertInto('monitor')
      .values(monitorRow('mon_1', 'prj', { type: 'heartbeat' }))
      .returning('seq')
      .executeTakeFirstOrThrow();
    monitor = added.seq;
    const state = { ...newState(begunAt - minute, false, [], minute), status: 'up' as const, pingDueAt: begunAt };
    await db
      .insertInto('monitor_state')
      .values({ ...stateToRow(state), monitor, allowed_silence_ms: minute, rolled_up_until: begunAt - minute })
      .execute();
  });

  const judge = (seq: number, now: number) => database.store.write((trx) => judgeHeartbeat(trx, seq, now));
  const status = async () =>
    (await database.store.db.selectFrom('monitor_state').select('status').executeTakeFirstOrThrow()).status;

  it('`judgeHeartbeat` sets the status to down at the end of the grace period, not a millisecond earlier, and only once', async () => {
    expect(await judge(monitor, begunAt - 1)).toBeNull();
    expect(await status()).toBe('up');
    expect(await judge(monitor, begunAt)).toMatchObject({ to: 'down' });
    expect(await status()).toBe('down');
    expect(await judge(monitor, begunAt + minute)).toBeNull();
  });

  it('`judgeHeartbeat` changes nothing after the heartbeat was deleted', async () => {
    await database.store.db.deleteFrom('monitor').execute();
    expect(await judge(monitor, begunAt + minute)).toBeNull();
  });
});
