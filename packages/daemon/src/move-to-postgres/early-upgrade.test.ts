import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import type { Store } from '../store/store.ts';
import { runMove } from './command.ts';

const [sqlite, postgres] = databases;

let daemon: TestDaemon;
let target: TestDatabase;
beforeEach(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, database: sqlite! });
  target = await postgres!.open();
});
afterEach(async () => {
  await daemon.close();
  await target.dispose();
});

const move = (...args: string[]) =>
  runMove(['--data-dir', daemon.dataDir, ...args], {
    env: {},
    print: () => {},
    stopping: new AbortController().signal,
  });
const toTarget = () => move('--to', target.options.databaseUrl!);

const makeOlder = ({ db }: Store) =>
  sql`delete from uptime_migration where name = (select max(name) from uptime_migration)`.execute(db);
const migrations = async ({ db }: Store) => (await sql`select name from uptime_migration`.execute(db)).rows;

test('neither a move nor --undo upgrades the schema of a running daemon of an older version', async () => {
  await makeOlder(daemon.store);
  const before = await migrations(daemon.store);
  const refusal = `A daemon uses ${daemon.dataDir}, whose database is of an older version. Stop it, or restart it with this version.`;
  await expect(toTarget()).rejects.toThrow(refusal);
  await expect(move('--undo')).rejects.toThrow(refusal);
  expect(await migrations(daemon.store)).toEqual(before);
});

test('a move does not upgrade a PostgreSQL that nodes of an older version use', async () => {
  await makeOlder(target.store);
  const before = await migrations(target.store);
  const now = Date.now();
  const node = { instance: 'serve:old', region: 1, started_at: now, alive_at: now, short_runs: 0, roles: 'api' };
  await target.store.db.insertInto('presence').values(node).execute();
  await expect(toTarget()).rejects.toThrow('Nodes of an older version use this PostgreSQL');
  expect(await migrations(target.store)).toEqual(before);
});
