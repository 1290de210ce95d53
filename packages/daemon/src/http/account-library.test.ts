import { getMigrations } from 'better-auth/db/migration';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { databases } from '../testing/databases.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { accountLibraryOptions } from './account-library.ts';

describe.each(databases)('the account library on $name', ({ open }) => {
  test('finds every table, column and index that it needs in a migrated store', async () => {
    const opened = await open();
    try {
      const options = accountLibraryOptions({
        store: opened.store,
        clock: systemClock,
        log: silentLog,
        secret: 'a secret of at least 32 characters',
        siteUrl: 'http://localhost',
        signup: 'open',
      });
      const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(options);
      expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
      expect((await compileMigrations()).trim()).toBe(';');
    } finally {
      await opened.dispose();
    }
  });
});
