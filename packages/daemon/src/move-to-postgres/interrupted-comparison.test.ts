import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import { moverGoneAfterMs, readMove } from '../store/database-move.ts';
import { sqliteFile } from '../store/sqlite.ts';
import { compileCache } from '../testing/compile-cache.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { testProgram } from '../testing/test-program.ts';
import { runMove } from './command.ts';
import { otherRunText, restartedText } from './move-error.ts';

const [sqlite, postgres] = databases;
const oldAt = Date.now() - 6 * hourMs;

let daemon: TestDaemon;
let database: TestDatabase;
let release: () => void;
beforeEach(async () => {
  database = await postgres!.open();
  release = await lockTable();
});
afterEach(async () => {
  release();
  await daemon.close();
  await database.dispose();
});

/** Locks a table that a move reads only in its second step. Returns the function that ends the lock. */
async function lockTable(): Promise<() => void> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = database.store.write(async (trx) => {
    await sql`lock table incident_update in access exclusive mode`.execute(trx);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, ended]);
  return released.resolve;
}

const start = async (options = {}) => {
  daemon = await createTestDaemon({ runCheck: passingCheck, database: sqlite!, ...options });
  const { status } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'A', interval: 60 });
  expect(status).toBe(201);
};

async function move(): Promise<string> {
  const lines: string[] = [];
  const args = ['--data-dir', daemon.dataDir, '--to', database.options.databaseUrl!];
  const stopping = new AbortController().signal;
  await runMove(args, { env: {}, print: (line) => void lines.push(line), stopping });
  return lines.join('\n');
}

/** Waits until SQLite notes changes of old rows for a run, and resolves with the id of that run's move. */
const watched = (except?: string): Promise<string> =>
  vi.waitFor(async () => {
    const stored = await readMove(daemon.store.db);
    expect(stored).toMatchObject({ state: 'watching' });
    expect(stored!.move).not.toBe(except);
    return stored!.move!;
  }, 20_000);

/** Adds an old row, like a late result of a probe. */
const addOldRow = (at: number) =>
  daemon.store.db.insertInto('result').values({ monitor: 1, at, region: 1, code: 0, tenths: 10 }).execute();

const noted = async () => {
  const db = new Database(sqliteFile(daemon.dataDir), { readonly: true });
  const triggers = db.prepare("select 1 from sqlite_master where name like 'move_change_%' and type = 'trigger'").all();
  const changes = db.prepare('select name from move_change').pluck().all();
  db.close();
  return { isWatched: triggers.length > 0, changes };
};

test('if the command is killed while it compares, the daemon removes the triggers that note changes of old rows', async () => {
  const machine = createFakeClock(Date.now());
  await start({ machine });
  const args = [...testProgram('uptimed'), 'migrate-to-postgres', '--data-dir', daemon.dataDir];
  const env = { ...compileCache(), UPTIME_DATABASE_URL: database.options.databaseUrl! };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  await watched();
  await addOldRow(oldAt);
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  await machine.advance(moverGoneAfterMs - 1000);
  expect(await noted()).toEqual({ isWatched: true, changes: ['result'] });
  await machine.advance(3000);
  await vi.waitFor(async () => expect(await noted()).toEqual({ isWatched: false, changes: [] }));
  expect(await readMove(daemon.store.db)).toBeUndefined();
});

test('a second run replaces a first run that is still comparing, and also moves old rows that change after that', async () => {
  await start();
  const first = expect(move()).rejects.toThrow(otherRunText);
  const replaced = await watched();
  const second = move();
  await watched(replaced);
  await addOldRow(oldAt);
  release();
  await first;
  expect(await second).toContain('none differs');
  const moved = await database.store.db.selectFrom('result').select('at').where('at', '=', oldAt).execute();
  expect(moved).toEqual([{ at: oldAt }]);
  expect(await noted()).toEqual({ isWatched: false, changes: [] });
});

test('if the daemon is restarted while a run compares, the run fails with an error that says so, and the next run succeeds', async () => {
  await start();
  const failed = expect(move()).rejects.toThrow(restartedText);
  await watched();
  await addOldRow(oldAt);
  await daemon.restart();
  expect(await noted()).toEqual({ isWatched: false, changes: [] });
  await addOldRow(oldAt + 1);
  release();
  await failed;
  expect(await move()).toContain('none differs');
  const moved = await database.store.db
    .selectFrom('result')
    .select('at')
    .where('at', '<=', oldAt + 1)
    .orderBy('at')
    .execute();
  expect(moved).toEqual([{ at: oldAt }, { at: oldAt + 1 }]);
});
