import Database from 'better-sqlite3';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import { type Daemon, readConfig, startDaemon } from '../daemon.ts';
import { readMove } from '../store/database-move.ts';
import { sqliteFile } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { cheapPasswords } from '../testing/cheap-passwords.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { noDownloads } from '../testing/never-called.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { runMove } from './command.ts';
import { otherRunText, restartedText } from './move-error.ts';
import { createTarget } from './target.ts';

const [sqlite, postgres] = databases;
const settings = { UPTIME_SECRET_KEY: 'a secret of this test, long enough for all' };

let daemon: TestDaemon;
let database: TestDatabase;
beforeEach(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, env: settings, database: sqlite! });
  database = await postgres!.open();
});
afterEach(async () => {
  await daemon.close();
  await database.dispose();
});

/** Runs the command, and calls `at` with each line that it prints. Resolves with all lines. */
async function run(args: string[], at: (line: string) => void = () => {}): Promise<string> {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    at(line);
  };
  const stopping = new AbortController().signal;
  await runMove(['--data-dir', daemon.dataDir, ...args], { env: {}, print, stopping });
  return lines.join('\n');
}

const move = (at?: (line: string) => void) => run(['--to', database.options.databaseUrl!], at);

/**
 * Returns a function for `run`. As soon as the move prints the line of its last part, this function runs the statements
 * on SQLite, as another process could.
 */
const whenClosed =
  (...statements: string[]) =>
  (line: string) => {
    if (line.startsWith('3/3')) change(...statements);
  };

function change(...statements: string[]): void {
  const db = new Database(sqliteFile(daemon.dataDir), { timeout: 10_000 });
  for (const statement of statements) db.exec(statement);
  db.close();
}

const createMonitor = async (name: string): Promise<void> => {
  const { status } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name, interval: 60 });
  expect(status).toBe(201);
};

const names = async () =>
  (await database.store.db.selectFrom('monitor').select('name').execute()).map(({ name }) => name).toSorted();

/** Starts a daemon on PostgreSQL with the same data folder, as the operator does after a move. */
const startMoved = (): Promise<Daemon> =>
  startDaemon(
    readConfig({
      env: {
        ...settings,
        UPTIME_PORT: '0',
        UPTIME_DATA_DIR: daemon.dataDir,
        UPTIME_DATABASE_URL: database.options.databaseUrl,
      },
    }),
    { log: silentLog, passwords: cheapPasswords, downloads: noDownloads, runCheck: passingCheck },
  );

test('a move fails if the daemon gives it up during the last comparison, and the next move copies the later changes', async () => {
  await createMonitor('A');
  await expect(move(whenClosed('delete from database_move'))).rejects.toThrow(
    /so the move was given up, .* Nothing was changed there\. Run the same command again/,
  );
  expect((await readMove(database.store.db))?.state).toBe('filling');
  await vi.waitFor(() => createMonitor('B'), 20_000);
  expect(await move()).toContain('none differs');
  expect(await names()).toEqual(['A', 'B']);
});

test('if a second run has replaced the first run, the first run fails and leaves the move of the second run unchanged', async () => {
  await expect(move(whenClosed("update database_move set move = 'move_other'"))).rejects.toThrow(otherRunText);
  expect(await readMove(daemon.store.db)).toMatchObject({ move: 'move_other', state: 'closed' });
  await expect(move()).rejects.toThrow('Another run of this command is ending its move.');
});

test('a run that was suspended writes nothing to PostgreSQL after another run has begun', async () => {
  await move();
  const late = createTarget(database.store, 'move_earlier');
  const [shape] = (await late.shapes()).filter(({ name }) => name === 'plan');
  const row = { id: 'late' };
  await expect(late.add(shape!, [row])).rejects.toThrow(otherRunText);
  await expect(late.change(shape!, { write: [], remove: [row] })).rejects.toThrow(otherRunText);
});

test('if a run is killed after SQLite stored `moved`, no daemon starts until the next run has marked PostgreSQL as filled', async () => {
  await createMonitor('A');
  await move();
  await database.store.db.updateTable('database_move').set({ state: 'filling' }).execute();
  await expect(daemon.restart()).rejects.toThrow('was moved to PostgreSQL');
  await expect(startMoved()).rejects.toThrow('This PostgreSQL is not filled yet.');
  expect(await move()).toContain('Done. An earlier run had moved and compared all rows.');
  const moved = await startMoved();
  await moved.close();
  await expect(move()).rejects.toThrow('was moved to this PostgreSQL already');
});

test('if a run is killed before SQLite stored `moved`, the next run completes the move', async () => {
  await createMonitor('A');
  await move();
  // PostgreSQL has all data. Without its row in `database_move`, SQLite looks as if the run was killed before it stored
  // `moved`, and as if the daemon then gave up the move: see follow-move.test.ts.
  change('delete from database_move');
  await vi.waitFor(() => createMonitor('B'), 20_000);
  expect(await move()).toContain('none differs');
  expect(await names()).toEqual(['A', 'B']);
});

test('after --undo, a second move copies the changes since the first move, but fails if a daemon has used PostgreSQL in between', async () => {
  await move();
  await run(['--undo']);
  await vi.waitFor(() => createMonitor('A'), 20_000);
  expect(await move()).toContain('none differs');
  expect(await names()).toEqual(['A']);
  await expect(daemon.restart()).rejects.toThrow('was moved to PostgreSQL');
  const moved = await startMoved();
  await moved.close();
  await run(['--undo']);
  await expect(move()).rejects.toThrow('A daemon has used this PostgreSQL since an earlier move');
});

test('the last comparison finds old rows that were added, changed or removed during the move', async () => {
  await createMonitor('A');
  const at = Date.now() - 6 * hourMs;
  const hour = Math.floor(at / hourMs);
  const checks = (count: number) => `insert into check_hour values (1, ${hour}, 1, ${count}, 0, 10)
    on conflict do update set checks = checks + excluded.checks`;
  const detail = (time: number) => `insert into result_detail values (1, ${time}, 1, 'late', null)`;
  change(checks(1), detail(at), `insert into result values (1, ${at}, 1, 0, 10)`);
  // A probe was cut off for six hours. Its results arrive now, and are folded.
  const late = [checks(1), detail(at + 1), `insert into result values (1, ${at + 1}, 1, 0, 10)`];
  const early = [detail(at - 2 * hourMs)];
  await move((line) => {
    if (line.startsWith('2/3')) change(...early);
    if (line.startsWith('3/3')) change(...late, `delete from result_detail where at = ${at}`);
  });
  const { db } = database.store;
  const old = (table: 'result' | 'result_detail') =>
    db
      .selectFrom(table)
      .select('at')
      .where('at', '<=', at + 1)
      .orderBy('at')
      .execute();
  expect(await old('result')).toEqual([{ at }, { at: at + 1 }]);
  expect(await old('result_detail')).toEqual([{ at: at - 2 * hourMs }, { at: at + 1 }]);
  const counts = await db.selectFrom('check_hour').select('checks').where('hour', '=', hour).execute();
  expect(counts).toEqual([{ checks: 2 }]);
  const triggers = new Database(sqliteFile(daemon.dataDir)).prepare(
    "select 1 from sqlite_master where name like 'move_change_%'",
  );
  expect(triggers.all()).toEqual([]);
});

test('a move copies changes of old pings of several monitors, although it reads the pings of all monitors in one range', async () => {
  for (const name of ['A', 'B']) await createMonitor(name);
  const at = Date.now() - 6 * hourMs;
  const add = (monitor: number, after: number) =>
    `insert into ping (monitor, at, kind, exit_code) values (${monitor}, ${at + after}, 'success', null)`;
  const fail = (after: number) => `update ping set kind = 'failure', exit_code = 7 where at = ${at + after}`;
  change(add(1, 0), add(2, 1), add(1, 2), add(2, 3));
  await move((line) => {
    if (line.startsWith('2/3')) change(fail(0));
    // The added pings have times in other hours. The move finds them anyway, because it compares pings in ranges of
    // ids, not of times.
    if (line.startsWith('3/3'))
      change(fail(1), `delete from ping where at = ${at + 2}`, add(1, -24 * hourMs), add(2, hourMs));
  });
  const pings = async ({ db }: Store) =>
    db.selectFrom('ping').select(['id', 'monitor', 'at', 'kind', 'exit_code']).orderBy('id').execute();
  const moved = await pings(database.store);
  expect(moved.map(({ at: each, exit_code }) => [each - at, exit_code])).toEqual([
    [0, 7],
    [1, 7],
    [3, null],
    [-24 * hourMs, null],
    [hourMs, null],
  ]);
  expect(moved).toEqual(await pings(daemon.store));
});

test('a move fails if a starting daemon has replaced a table, because the triggers of that table are then missing', async () => {
  await expect(move(whenClosed('drop trigger move_change_result_insert'))).rejects.toThrow(restartedText);
  await vi.waitFor(() => createMonitor('A'), 20_000);
});

test('the daemon refuses a write whose body ends after the last comparison has begun', async () => {
  const body = JSON.stringify({ type: 'heartbeat', name: 'Slow', interval: 60 });
  const headers = { 'x-api-key': daemon.apiKey, 'content-type': 'application/json', 'content-length': body.length };
  const sent = httpRequest(`${daemon.url}/api/monitors`, { method: 'POST', headers });
  const answered = new Promise<{ status: number | undefined; answer: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
    });
  });
  sent.write(body.slice(0, 10));
  await sleep(200);
  await move();
  sent.end(body.slice(10));
  const { status, answer } = await answered;
  expect(answer).toContain('The data is being moved to PostgreSQL.');
  expect(status).toBe(503);
  expect(await daemon.store.db.selectFrom('monitor').select('name').execute()).toEqual([]);
});
