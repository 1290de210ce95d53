import { hashPassword } from 'better-auth/crypto';
import type { Store } from '../store/store.ts';
import { disableAccount, enableAccount } from '../accounts/disabled-accounts.ts';
import type { PlanRules } from '../plans/account-plan.ts';
import { authTables } from '../store/auth-tables.ts';

/** The error of a task that cannot be done. Its message is a full sentence for the operator. */
export class AdminError extends Error {
  override name = 'AdminError';
}

export interface ListedUser {
  name: string;
  email: string;
  role: string;
  projects: number;
  createdAt: string;
}

/** Returns every account, the oldest first. */
export async function listUsers({ db }: Store): Promise<ListedUser[]> {
  const users = await authTables(db).selectFrom('user').selectAll().orderBy('createdAt').orderBy('id').execute();
  const owned = await db
    .selectFrom('project')
    .select((of) => ['user_id', of.fn.countAll<number | string>().as('projects')])
    .groupBy('user_id')
    .execute();
  const projects = new Map(owned.map((row) => [row.user_id, Number(row.projects)]));
  return users.map(({ id, name, email, role, createdAt }) => ({
    name,
    email,
    role,
    projects: projects.get(id) ?? 0,
    createdAt: new Date(createdAt).toISOString(),
  }));
}

/**
 * Makes an account admin, or an ordinary user again. The new role takes effect at once, in open sessions too. Throws
 * AdminError for an unknown address.
 */
export async function setRole(store: Store, email: string, role: 'admin' | 'user'): Promise<void> {
  await store.write(async (trx) => {
    const { id } = await findUser(trx, email);
    await authTables(trx).updateTable('user').set({ role }).where('id', '=', id).execute();
  });
}

/** Sets an account's password, and ends its sessions. Throws AdminError for an unknown address. */
export async function resetPassword(store: Store, email: string, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await store.write(async (trx) => {
    const { id } = await findUser(trx, email);
    const tables = authTables(trx);
    await tables
      .updateTable('account')
      .set({ password: hash })
      .where('userId', '=', id)
      .where('providerId', '=', 'credential')
      .execute();
    await tables.deleteFrom('session').where('userId', '=', id).execute();
  });
}

/** Disables an account at once. Throws AdminError for an unknown address. */
export async function disable(
  store: Store,
  email: string,
  change: { refusePings: boolean; rules: PlanRules; now: number },
): Promise<void> {
  await store.write(async (trx) => disableAccount(trx, (await findUser(trx, email)).id, change));
}

/** Undoes `disable`. Throws AdminError for an unknown address. */
export async function enable(store: Store, email: string, change: { rules: PlanRules; now: number }): Promise<void> {
  await store.write(async (trx) => enableAccount(trx, (await findUser(trx, email)).id, change));
}

export async function findUser(db: Store['db'], email: string): Promise<{ id: string }> {
  const found = await authTables(db)
    .selectFrom('user')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!found) throw new AdminError(`No account has the e-mail address ${JSON.stringify(email)}.`);
  return found;
}
