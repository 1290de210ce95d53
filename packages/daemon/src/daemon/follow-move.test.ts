import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginMove, changeMove, giveUpMove, moverGoneAfterMs, readMove, renewMove } from '../store/database-move.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import type { MoveState } from '../store/tables.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { followMove, type MoveFollower } from './follow-move.ts';

let database: TestDatabase;
let clock: FakeClock;
let follower: MoveFollower;
let calls: string[];
let failures: number;
beforeEach(async () => {
  database = await databases[0]!.open();
  clock = createFakeClock();
  calls = [];
  failures = 0;
  follower = followMove({ clock, log: silentLog }, database.store, {
    stopWriting: async () => {
      calls.push('stop');
      if (failures-- > 0) throw new Error('not stopped');
    },
    goOn: async () => void calls.push('go on'),
  });
});
afterEach(async () => {
  await follower.stop();
  await database.dispose();
});

const begin = (move: string, state: MoveState = 'closing') => {
  const row = { installation: 'one', renewed_at: clock.now(), last_ping: null, move };
  return beginMove(database.store.db, { ...row, state });
};

test('the daemon gives up a move whose command gives no sign of life, and the command can then neither renew nor end the move', async () => {
  const { db } = database.store;
  await begin('move_1');
  await clock.advance(1000);
  expect([follower.isClosed(), calls]).toEqual([true, ['stop']]);
  await clock.advance(moverGoneAfterMs - 2000);
  expect(await renewMove(db, 'move_1', clock.now())).toBe(true);
  await clock.advance(moverGoneAfterMs - 2000);
  expect(follower.isClosed()).toBe(true);
  await clock.advance(4000);
  expect([follower.isClosed(), calls]).toEqual([false, ['stop', 'go on']]);
  expect(await renewMove(db, 'move_1', clock.now())).toBe(false);
  const closed = { move: 'move_1', state: 'closed', last_ping: null } as const;
  expect(await changeMove(db, closed, { state: 'moved' })).toBe(false);
  expect(await readMove(db)).toBeUndefined();
});

test('the daemon does not stop its writers again if a second move begins before the daemon has seen the end of the first move', async () => {
  await begin('move_1');
  await clock.advance(1000);
  await giveUpMove(database.store.db, 'move_1');
  await begin('move_2');
  await clock.advance(1000);
  expect(calls).toEqual(['stop']);
  expect(await readMove(database.store.db)).toMatchObject({ move: 'move_2', state: 'closed' });
});

test('after a move was given up, the daemon writes again, even if another move already compares rows', async () => {
  await begin('move_1');
  await clock.advance(1000);
  await giveUpMove(database.store.db, 'move_1');
  await begin('move_2', 'watching');
  await clock.advance(1000);
  expect([follower.isClosed(), calls]).toEqual([false, ['stop', 'go on']]);
  expect(await readMove(database.store.db)).toMatchObject({ move: 'move_2', state: 'watching' });
});

test('if the daemon cannot stop its writers, the move waits, and the daemon tries again', async () => {
  const { db } = database.store;
  failures = 1;
  await begin('move_1');
  await clock.advance(500);
  expect([follower.isClosed(), calls]).toEqual([true, ['stop']]);
  expect(await readMove(db)).toMatchObject({ state: 'closing' });
  await clock.advance(2000);
  expect(calls).toEqual(['stop', 'stop']);
  expect(await readMove(db)).toMatchObject({ state: 'closed' });
});

test('if the command is killed before the daemon could stop its writers, the daemon continues with SQLite', async () => {
  failures = Infinity;
  await begin('move_1');
  await clock.advance(moverGoneAfterMs);
  expect([follower.isClosed(), calls.includes('go on')]).toEqual([true, false]);
  await clock.advance(3000);
  expect([follower.isClosed(), calls.at(-1)]).toEqual([false, 'go on']);
  expect(await readMove(database.store.db)).toBeUndefined();
});
