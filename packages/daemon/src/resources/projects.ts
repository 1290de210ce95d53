import { maskTail, type project, projectPatch } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type * as z from 'zod';
import { limitsAccounts, lockAccount, lockedPlanIfLimited } from '../plans/account-plan.ts';
import { refitAccount } from '../plans/fit-account.ts';
import { refuseProject } from '../plans/refuse-growth.ts';
import { closeProjects, removeProject } from '../lifecycle/remove-project.ts';
import { newId } from '../store/ids.ts';
import type { Project, Tables } from '../store/tables.ts';
import type { Handler, OwnValidation } from './handler.ts';
import { isoTime } from './iso-time.ts';
import { listByAge } from './list-by-age.ts';
import { lockProject } from './lock-project.ts';
import { patchSentBack } from './sent-back.ts';
import type { CallerKey } from './project-keys/opened-project.ts';
import { newApiKey } from './secrets.ts';

export const listProjects: Handler<'listProjects'> = (request, { store }) =>
  listByAge(
    request,
    (after, maxRows) => {
      let rows = store.db.selectFrom('project').selectAll().where('user_id', '=', request.user.id);
      if (after !== null) {
        const [at, id] = after;
        rows = rows.where((row) =>
          row.or([row('created_at', '>', at), row.and([row('created_at', '=', at), row('id', '>', id)])]),
        );
      }
      return rows.orderBy('created_at').orderBy('id').limit(maxRows).execute();
    },
    renderProject,
  );

export const getProject: Handler<'getProject'> = async (request) => renderProject(request.project);

export const createProject: Handler<'createProject'> = (request, { deps, plans }) =>
  request.create(request.body, async (trx) => {
    const { id: user } = request.user;
    await refuseProject(trx, user, plans, await lockedPlanIfLimited(trx, user, plans));
    return renderProject(await insertProject(trx, { user, name: request.body.name }, deps.clock.now()));
  });

/** Inserts a project with a new key of its own. */
export async function insertProject(
  trx: Transaction<Tables>,
  { user, name }: { user: string; name: string },
  now: number,
): Promise<Project> {
  const row: Project = {
    id: newId('prj', now),
    user_id: user,
    name,
    api_key: newApiKey(),
    created_at: now,
    updated_at: now,
  };
  await trx.insertInto('project').values(row).execute();
  return row;
}

export const updateProject: OwnValidation<'updateProject'> = {
  validatesBody: true,
  handle: (request, { deps, store }) =>
    store.write(async (trx) => {
      await lockProject(trx, request.project);
      const { name } = await patchSentBack(request.body, projectPatch, () => renderProject(request.project));
      if (name === undefined || name === request.project.name) return renderProject(request.project);
      const change = { name, updated_at: deps.clock.now() };
      await trx.updateTable('project').set(change).where('id', '=', request.project.id).execute();
      return renderProject({ ...request.project, ...change });
    }),
};

export const deleteProject: Handler<'deleteProject'> = async (request, { deps, store, plans: rules }) => {
  const { id, user_id: user } = request.project;
  const now = deps.clock.now();
  await store.write(async (trx) => {
    if (limitsAccounts(rules)) await lockAccount(trx, user);
    await lockProject(trx, request.project);
    await closeProjects(trx, { project: id });
    await refitAccount(trx, user, { rules, now });
  });
  await removeProject(store, id, now);
};

export const regenerateApiKey: Handler<'regenerateApiKey'> = (request, { deps, store }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const change = { api_key: newApiKey(), updated_at: deps.clock.now() };
    await trx.updateTable('project').set(change).where('id', '=', request.project.id).execute();
    return renderProject({ ...request.project, ...change });
  });

/**
 * Returns a project as the API shows it. If the caller has a key for a machine, the project's own key is masked. With
 * the project's own key, the machine could continue after the machine's key expired or was revoked.
 */
const renderProject = (row: Project & { key?: CallerKey | null }): z.output<typeof project> => ({
  id: row.id,
  name: row.name,
  apiKey: row.key?.id ? maskTail(row.api_key) : row.api_key,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});
