import { getMigrations } from 'better-auth/db/migration';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { databases } from '../testing/databases.ts';
import type { Store } from '../store/store.ts';
import { captureStatements } from '../testing/captured-statements.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { accountLibraryOptions, openAccountLibrary } from './account-library.ts';

describe.each(databases)('the account library on $name', ({ open }) => {
  const optionsOf = (store: Store) => ({
    store,
    clock: systemClock,
    log: silentLog,
    secret: 'a secret of at least 32 characters',
    siteUrl: 'http://localhost',
    signup: 'open' as const,
  });

  test('the account library finds every table, column and index that it needs in a migrated store', async () => {
    const opened = await open();
    try {
      const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(
        accountLibraryOptions(optionsOf(opened.store)),
      );
      expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
      expect((await compileMigrations()).trim()).toBe(';');
    } finally {
      await opened.dispose();
    }
  });

  test('a sign-up does not make the account library list the tables, because the listing fails if a partition is dropped meanwhile', async () => {
    const opened = await open();
    try {
      using capture = captureStatements();
      const body = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
      await openAccountLibrary(optionsOf(opened.store)).signUpEmail({ body });
      const sent = capture.statements().map(({ sql }) => sql);
      expect(sent.join()).toContain('"user"');
      expect(sent.filter((sql) => /pg_catalog|sqlite_master|pragma/i.test(sql))).toEqual([]);
    } finally {
      await opened.dispose();
    }
  });
});
