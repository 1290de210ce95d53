import { randomBytes } from 'node:crypto';
import { systemClock } from '../../packages/daemon/src/deps.ts';
import { ServiceError } from '../../packages/daemon/src/errors.ts';
import { createAccounts } from '../../packages/daemon/src/http/accounts.ts';
import { createProcessLog } from '../../packages/daemon/src/log.ts';
import { insertProject } from '../../packages/daemon/src/resources/projects.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';

/**
 * Makes the account and its project in the store itself, as whoever has the data folder may: by its settings sign-up may
 * be closed, and over HTTP it is for callers of the site's own address. Finds what an earlier start made. Answers the project's key.
 */
export async function makeAccount(store: Store, account: { email: string; password: string }): Promise<string> {
  const accounts = await createAccounts({
    store,
    clock: systemClock,
    // What goes wrong is thrown.
    log: createProcessLog('silent', null),
    // Signs the cookies of this sign-up alone, which nobody gets to see.
    secret: randomBytes(32).toString('hex'),
    siteUrl: 'http://127.0.0.1',
    signup: 'open',
  });
  const { user } = await accounts.signUp({ name: 'Admin', ...account }, {}).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'conflict') return accounts.signIn(account, {});
    throw error;
  });
  return store.write(async (trx) => {
    const made = await trx
      .selectFrom('project')
      .select('api_key')
      .where('user_id', '=', user.id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (made) return made.api_key;
    return (await insertProject(trx, { user: user.id, name: 'quickstart' }, systemClock.now())).api_key;
  });
}
