import { liveSubscriptions } from '../plans/account-plan.ts';
import { closeProjects, removeProject } from '../lifecycle/remove-project.ts';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import { AdminError, findUser } from './users.ts';

/**
 * Resolves with the number of projects and monitors of an account. With `yes`, it also deletes the account and its
 * projects. The account is gone at once; the daemon deletes the contents of the projects later, in small steps. Throws
 * AdminError if the account has a subscription, because the payment provider would continue to charge.
 */
export async function deleteUser(
  store: Store,
  email: string,
  { yes, now }: { yes: boolean; now: number },
): Promise<{ projects: number; monitors: number }> {
  const { projects, monitors } = await store.write(async (trx) => {
    const { id } = await findUser(trx, email);
    if ((await liveSubscriptions(trx, id)).length > 0) {
      throw new AdminError(
        `${email} pays for a subscription: cancel it at the payment provider first, then delete the account.`,
      );
    }
    const projects = await trx.selectFrom('project').select('id').where('user_id', '=', id).execute();
    const { monitors } = await trx
      .selectFrom('monitor')
      .innerJoin('project', 'project.id', 'monitor.project_id')
      .select((of) => of.fn.countAll<number | string>().as('monitors'))
      .where('project.user_id', '=', id)
      .executeTakeFirstOrThrow();
    if (yes) {
      await closeProjects(trx, { user: id });
      const tables = authTables(trx);
      await tables.deleteFrom('session').where('userId', '=', id).execute();
      await tables.deleteFrom('account').where('userId', '=', id).execute();
      await tables.deleteFrom('user').where('id', '=', id).execute();
      await trx.deleteFrom('disabled_account').where('user_id', '=', id).execute();
    }
    return { projects, monitors: Number(monitors) };
  });
  if (yes) for (const project of projects) await removeProject(store, project.id, now);
  return { projects: projects.length, monitors };
}
