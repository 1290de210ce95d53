import type { PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../deps.ts';
import { authTables } from '../store/auth-tables.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog } from '../testing/test-daemon.ts';
import { createAccounts } from './accounts.ts';

describe.each(databases)('the first minutes of a server on $name', (database) => {
  test('only one of many simultaneous first sign-ups becomes admin, even with a slow store', async () => {
    const opened = await database.open();
    const { store } = opened;
    try {
      // Delays the results of queries that find no rows. If the sign-ups ran at the same time, all of them would find
      // that there is no account yet.
      const slow = {
        transformQuery: ({ node }: PluginTransformQueryArgs) => node,
        transformResult: ({ result }: PluginTransformResultArgs) =>
          new Promise<typeof result>((resolve) =>
            systemClock.after(result.rows.length === 0 ? 100 : 0, () => resolve(result)),
          ),
      };
      const accounts = await createAccounts({
        store: { ...store, db: store.db.withPlugin(slow) },
        clock: systemClock,
        log: silentLog,
        secret: 'a secret of at least 32 characters',
        siteUrl: 'http://localhost',
        signup: 'open',
      });
      const signUp = (name: string) =>
        accounts.signUp({ name, email: `${name}@example.com`, password: 'correct horse' }, {});
      const signedUp = await Promise.all(['a', 'b', 'c', 'd'].map(signUp));
      expect(signedUp.map(({ user }) => user.role).toSorted()).toEqual(['admin', 'user', 'user', 'user']);
    } finally {
      await opened.dispose();
    }
  });

  test('a start removes the account of an unfinished sign-up, so that the same e-mail address can sign up again', async () => {
    const daemon = await createTestDaemon({ database, runCheck: passingCheck });
    try {
      const { email } = await daemon.another('cut');
      const db = authTables(daemon.store.db);
      const long = new Date('2020-01-01T00:00:00.000Z');
      const createdAt = database.name === 'sqlite' ? long.toISOString() : long;
      const { id } = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow();
      await db.deleteFrom('account').where('userId', '=', id).execute();
      await db.updateTable('user').set({ createdAt }).execute();
      const young = await daemon.another('in-the-making');
      const its = db.selectFrom('user').select('id').where('email', '=', young.email);
      await db.deleteFrom('account').where('userId', '=', its).execute();
      await daemon.restart();
      // The start keeps this account, because it is younger than a minute: another process may still be writing it.
      await expect(daemon.another('in-the-making')).rejects.toThrow(/Sign-up failed.*"conflict"/);
      await expect(daemon.another('cut')).resolves.toMatchObject({ email });
      const { body } = await daemon.request('GET', '/api/auth/get-session', undefined, { cookie: daemon.cookie });
      expect(body).toMatchObject({ user: { email: daemon.email } });
    } finally {
      await daemon.close();
    }
  });
});
