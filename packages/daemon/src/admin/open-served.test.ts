import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginMove } from '../store/database-move.ts';
import { databases } from '../testing/databases.ts';
import { run, startOn } from '../testing/run-admin.ts';
import { undoMigrations } from '../testing/undo-migrations.ts';
import type { Store } from '../store/store.ts';

const latest = '0055-unobserved-times';
const isUpgraded = async ({ db }: Store) =>
  (await sql`select name from uptime_migration where name = ${latest}`.execute(db)).rows.length === 1;

describe.each(databases)('uptimed admin with a $name database of an older version', (database) => {
  test('a task refuses to upgrade the schema while a daemon uses the database', async () => {
    const { daemon, place } = await startOn(database);
    onTestFinished(() => daemon.close());
    await sql`delete from uptime_migration where name = ${latest}`.execute(daemon.store.db);
    await expect(run(['list-users'], place)).rejects.toThrow(
      /of an older version.*with this version\. Then run this command again/,
    );
    expect(await isUpgraded(daemon.store)).toBe(false);
  });

  test('a task upgrades the schema if every daemon was stopped or has died', async () => {
    const opened = await database.open();
    onTestFinished(() => opened.dispose());
    const { store, options } = opened;
    const now = Date.now();
    const row = { region: 1, started_at: now - 60_000, short_runs: 0, roles: 'api' };
    await store.db
      .insertInto('presence')
      .values([
        { ...row, instance: 'serve:stopped', alive_at: now, ended_at: now },
        { ...row, instance: 'serve:dead', alive_at: now - 11_000, ended_at: null },
      ])
      .execute();
    await undoMigrations(store.db, latest);
    const { databaseUrl, dataDir } = options;
    await run(['list-users'], databaseUrl ? { UPTIME_DATABASE_URL: databaseUrl } : { UPTIME_DATA_DIR: dataDir });
    expect(await isUpgraded(store)).toBe(true);
  });
});

test('a task refuses a SQLite database whose data was moved to PostgreSQL', async () => {
  const { daemon, place } = await startOn(databases[0]!);
  onTestFinished(() => daemon.close());
  const move = { installation: 'one', state: 'moved' as const, renewed_at: 0, last_ping: null, move: 'move_1' };
  await beginMove(daemon.store.db, move);
  await expect(run(['probes', 'revoke', 'prb_1'], place)).rejects.toThrow('was moved to PostgreSQL');
});

test('a task refuses a SQLite database while its last changes are copied to PostgreSQL, unless the copying has failed', async () => {
  const { daemon, place } = await startOn(databases[0]!);
  onTestFinished(() => daemon.close());
  const move = { installation: 'one', state: 'closed' as const, last_ping: null, move: 'move_1' };
  await beginMove(daemon.store.db, { ...move, renewed_at: Date.now() });
  await expect(run(['probes', 'revoke', 'prb_1'], place)).rejects.toThrow('is being moved to PostgreSQL');
  await daemon.store.db.updateTable('database_move').set({ renewed_at: 0 }).execute();
  await expect(run(['probes', 'revoke', 'prb_1'], place)).rejects.toThrow('prb_1');
});
