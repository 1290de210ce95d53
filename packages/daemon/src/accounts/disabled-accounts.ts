import type { Transaction } from 'kysely';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { PlanRules } from '../plans/account-plan.ts';
import { fitAccount } from '../plans/fit-account.ts';

/**
 * A heartbeat token that is stored with this prefix matches no ping address, because the token in a ping address cannot
 * begin with `!`. So the server refuses the pings.
 */
const refusedPrefix = '!';

interface Change {
  rules: PlanRules;
  now: number;
}

/** Whether the operator disabled an account. */
export async function isDisabled(db: Store['db'], user: string): Promise<boolean> {
  const found = await db.selectFrom('disabled_account').select('since').where('user_id', '=', user).executeTakeFirst();
  return found !== undefined;
}

/**
 * Disables an account: ends its sessions, and pauses its monitors. From the next request on, the server refuses the
 * keys of the account. With `refusePings`, the server also refuses pings of the account's jobs. Otherwise it still
 * records the pings, so that the history has no gap.
 */
export async function disableAccount(
  trx: Transaction<Tables>,
  user: string,
  { refusePings, ...change }: Change & { refusePings: boolean },
): Promise<void> {
  await trx
    .insertInto('disabled_account')
    .values({ user_id: user, since: change.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await authTables(trx).deleteFrom('session').where('userId', '=', user).execute();
  await fitAccount(trx, user, change);
  await setTokens(trx, user, (token) => (refusePings ? `${refusedPrefix}${bare(token)}` : bare(token)));
}

/**
 * Enables an account again, and resumes its monitors. Monitors that were paused before `disableAccount` stay paused.
 */
export async function enableAccount(trx: Transaction<Tables>, user: string, change: Change): Promise<void> {
  await trx.deleteFrom('disabled_account').where('user_id', '=', user).execute();
  await fitAccount(trx, user, change);
  await setTokens(trx, user, bare);
}

const bare = (token: string) => (token.startsWith(refusedPrefix) ? token.slice(refusedPrefix.length) : token);

async function setTokens(trx: Transaction<Tables>, user: string, changed: (token: string) => string): Promise<void> {
  const monitors = await trx
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .select(['monitor.seq', 'monitor.token'])
    .where('project.user_id', '=', user)
    .where('monitor.token', 'is not', null)
    .execute();
  for (const { seq, token } of monitors) {
    if (token === null || changed(token) === token) continue;
    await trx
      .updateTable('monitor')
      .set({ token: changed(token) })
      .where('seq', '=', seq)
      .execute();
  }
}
