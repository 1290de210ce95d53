import { randomBytes } from 'node:crypto';
import { systemClock } from '../../packages/daemon/src/deps.ts';
import { ServiceError } from '../../packages/daemon/src/errors.ts';
import { createAccounts } from '../../packages/daemon/src/http/accounts.ts';
import { createProcessLog } from '../../packages/daemon/src/log.ts';
import { insertProject } from '../../packages/daemon/src/resources/projects.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';

/**
 * Creates the account and its project directly in the store, or finds those of an earlier start. Returns the project's
 * key. It does not use HTTP, because sign-up may be closed, or open only under the site's own address.
 */
export async function makeAccount(store: Store, account: { email: string; password: string }): Promise<string> {
  const accounts = await createAccounts({
    store,
    clock: systemClock,
    // Errors are thrown, so the log is silent.
    log: createProcessLog('silent', null),
    // This secret signs only the cookies of this sign-up. They are never used.
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
