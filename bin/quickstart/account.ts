import { randomBytes } from 'node:crypto';
import { systemClock } from '../../packages/daemon/src/deps.ts';
import { ServiceError } from '../../packages/daemon/src/errors.ts';
import { createAccounts } from '../../packages/daemon/src/http/accounts.ts';
import { createProcessLog } from '../../packages/daemon/src/log.ts';
import { insertProject } from '../../packages/daemon/src/resources/projects.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';

/**
 * Creates the account and its project, or finds those of an earlier start. Returns the project's key. It uses the store
 * and not the API, because sign-up may be closed, or open only at the public address of the site.
 */
export async function makeAccount(store: Store, account: { email: string; password: string }): Promise<string> {
  const accounts = await createAccounts({
    store,
    clock: systemClock,
    // `makeAccount` throws all errors to its caller, so they need no log.
    log: createProcessLog('silent', null),
    // This secret signs only the cookie of this sign-up, which is never used.
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
