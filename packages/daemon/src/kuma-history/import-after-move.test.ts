import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { beginMove } from '../store/database-move.ts';
import type { MoveState } from '../store/tables.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { writeKumaDatabase } from '../testing/kuma-database.ts';
import { createWatchedProject } from '../testing/watched-project.ts';
import { importHistory } from './import-history.ts';

describe.each(databases)('the import of a history on $name', ({ open }) => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await open();
    folder = await mkdtemp(join(tmpdir(), 'uptime-kuma-'));
    await createWatchedProject(database.store);
  });
  afterEach(async () => {
    await database.dispose();
    await rm(folder, { recursive: true });
  });

  const importAt = async (state: MoveState) => {
    const move = { installation: 'data', state, renewed_at: Date.now(), last_ping: null, move: 'run' };
    expect(await beginMove(database.store.db, move)).toBe(true);
    const file = join(folder, 'kuma.db');
    writeKumaDatabase(file, 1, []);
    const { store } = database;
    const options = { project: 'prj', region: 'default', rawRetentionDays: 30, writes: false, tell: () => {} };
    return importHistory({ store, clock: systemClock, file, ...options });
  };

  test.each(['watching', 'closing', 'closed', 'moved', 'filling'] as const)(
    'is refused while a move is in state %s',
    async (state) => {
      await expect(importAt(state)).rejects.toThrow('The data is being moved to PostgreSQL');
    },
  );

  test('is refused after a move to this database until a daemon has used it', async () => {
    await expect(importAt('filled')).rejects.toThrow('Start the daemon once');
  });

  test('works after a move to this database', async () => {
    expect(await importAt('used')).toEqual({ monitors: 0, unmatched: [] });
  });
});
