import { afterEach, beforeEach, expect, test } from 'vitest';
import { followMove } from '../daemon/follow-move.ts';
import { beginMove, changeMove, moverGoneAfterMs, readMove } from '../store/database-move.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { beginWatch } from './begin-watch.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { lostText, otherRunText, restartedText } from './move-error.ts';
import { firstRows, type MovedTable, tablesToMove } from './move-tables.ts';
import { giveUpWatched, historyTables, isWatched, takeChanges } from './old-rows.ts';
import { refuseMoved } from './refuse-moved.ts';
import { type SignsOfLife, withSigns } from './signs-of-life.ts';
import { openSource, pageRows, type Source } from './source.ts';
import { createTarget } from './target.ts';

let [sqlite, postgres]: TestDatabase[] = [];
let source: Source;
let tables: MovedTable[];
/** The clock of the command. The daemon has a separate clock, so that a test can suspend only one of the processes. */
let clock: FakeClock;
let begun: SignsOfLife[];
beforeEach(async () => {
  [sqlite, postgres] = await Promise.all(databases.map((kind) => kind.open()));
  source = openSource(sqlite!.options.dataDir);
  tables = await tablesToMove(source, createTarget(postgres!.store, 'move_1'));
  clock = createFakeClock();
  begun = [];
});
afterEach(async () => {
  for (const signs of begun) await signs.end();
  source.close();
  await Promise.all([sqlite!.dispose(), postgres!.dispose()]);
});

const claim = async (move: string) => {
  const { db } = postgres!.store;
  const found = await readMove(db);
  const row = { installation: 'one', state: 'filling', renewed_at: clock.now(), last_ping: null, move } as const;
  expect(await (found ? changeMove(db, found, row) : beginMove(db, row))).toBe(true);
};

const watch = async (move: string): Promise<SignsOfLife> => {
  const options: MoveOptions = {
    clock,
    dataDir: sqlite!.options.dataDir,
    installation: 'one',
    sqlite: sqlite!.store,
    postgres: postgres!.store,
    served: true,
    print: () => {},
    tell: () => {},
    stopping: new AbortController().signal,
  };
  const signs = await beginWatch(options, move, tables, firstRows(source, tables, clock.now()));
  begun.push(signs);
  return signs;
};

const claimAndWatch = async (move: string): Promise<SignsOfLife> => {
  await claim(move);
  return watch(move);
};

const addOldResults = (...times: number[]) =>
  sqlite!.store.write((trx) => {
    const rows = times.map((at) => ({ monitor: 1, at, region: 1, code: 0, tenths: 10 }));
    return trx.insertInto('result').values(rows).execute();
  });

const changes = () => sqlite!.store.db.selectFrom('move_change').select(['name', 'monitor', 'period']).execute();
const isStillWatched = () => isWatched(source, historyTables(tables));

test('the daemon removes the triggers of a run without signs of life, and the run then fails with an error that says so', async () => {
  const signs = await claimAndWatch('move_1');
  await addOldResults(1);
  expect([isStillWatched(), await changes()]).toEqual([true, [{ name: 'result', monitor: 1, period: 0 }]]);
  const daemonClock = createFakeClock();
  const calls: string[] = [];
  const follower = followMove({ clock: daemonClock, log: silentLog }, sqlite!.store, {
    stopWriting: async () => void calls.push('stop'),
    goOn: async () => void calls.push('go on'),
  });
  await daemonClock.advance(moverGoneAfterMs);
  expect([isStillWatched(), await changes()]).toEqual([true, [expect.anything()]]);
  await daemonClock.advance(2000);
  expect([isStillWatched(), await changes()]).toEqual([false, []]);
  expect(await readMove(sqlite!.store.db)).toBeUndefined();
  expect(await takeChanges(sqlite!.store, 'move_1')).toBeNull();
  await follower.stop();
  expect(calls).toEqual([]);

  clock.jump(moverGoneAfterMs + 2000);
  await expect(signs.keep()).rejects.toThrow(lostText);
});

test('the timer of a run gives signs of life while the run waits for PostgreSQL, so the daemon keeps the triggers of the run', async () => {
  const signs = await claimAndWatch('move_1');
  const daemonClock = createFakeClock();
  const daemon = { stopWriting: async () => {}, goOn: async () => {} };
  const follower = followMove({ clock: daemonClock, log: silentLog }, sqlite!.store, daemon);
  for (let second = 0; second < 40; second++) {
    await clock.advance(1000);
    await daemonClock.advance(1000);
  }
  signs.check();
  expect(isStillWatched()).toBe(true);
  await follower.stop();
});

test('a run gives signs of life after each page of rows, even if reads of SQLite delay its timer', async () => {
  const signs = await claimAndWatch('move_1');
  await addOldResults(...Array(pageRows + 1).keys());
  const { shape } = tables.find((table) => table.shape.name === 'result')!;
  const renewed: number[] = [];
  for await (const rows of withSigns(source, signs).pages(shape, { since: null })) {
    expect(rows.length).toBeGreaterThan(0);
    renewed.push((await readMove(sqlite!.store.db))!.renewed_at);
    clock.jump(moverGoneAfterMs / 3);
  }
  expect(renewed).toEqual([clock.now() - (2 * moverGoneAfterMs) / 3, clock.now() - moverGoneAfterMs / 3]);
});

test('a start of the daemon removes the triggers of a run, and the run fails with an error that says so', async () => {
  const signs = await claimAndWatch('move_1');
  await addOldResults(1);
  await refuseMoved(sqlite!.store, clock.now());
  expect([isStillWatched(), await changes()]).toEqual([false, []]);
  clock.jump(moverGoneAfterMs / 3);
  await expect(signs.keep()).rejects.toThrow(restartedText);
});

test('a second run replaces the triggers of the first run, which can then neither take the changes nor give up the move', async () => {
  const first = await claimAndWatch('move_1');
  const second = await claimAndWatch('move_2');
  await addOldResults(1);
  expect(await takeChanges(sqlite!.store, 'move_1')).toBeNull();
  expect(await giveUpWatched(sqlite!.store, 'move_1')).toBe(false);
  clock.jump(moverGoneAfterMs / 3);
  await expect(first.keep()).rejects.toThrow(otherRunText);
  await second.keep();
  expect(isStillWatched()).toBe(true);
  expect(await takeChanges(sqlite!.store, 'move_2')).toEqual([{ name: 'result', monitor: 1, period: 0 }]);
});

test('a run does not replace the triggers of another run that claimed PostgreSQL later', async () => {
  await claim('move_1');
  await claimAndWatch('move_2');
  await expect(watch('move_1')).rejects.toThrow(otherRunText);
  expect(await readMove(sqlite!.store.db)).toMatchObject({ move: 'move_2', state: 'watching' });
  expect(isStillWatched()).toBe(true);
});
