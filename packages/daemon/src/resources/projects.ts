import { type project, projectPatch } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { limitsAccounts, lockAccount, lockedPlan } from '../plans/account-plan.ts';
import { refitAccount } from '../plans/fit-account.ts';
import { refuseProject } from '../plans/refuse-growth.ts';
import { removeProject } from '../lifecycle/remove-project.ts';
import { newId } from '../store/ids.ts';
import type { Project, Tables } from '../store/tables.ts';
import type { Handler, OwnValidation } from './handler.ts';
import { isoTime } from './iso-time.ts';
import { lockProject } from './lock-project.ts';
import { cursorOf, cutPage, readPage } from './paging.ts';
import { patchSentBack } from './sent-back.ts';
import { newApiKey } from './secrets.ts';

export const listProjects: Handler<'listProjects'> = async (request, { store }) => {
  const page = readPage(request.query);
  let rows = store.db
    .selectFrom('project')
    .selectAll()
    .where('user_id', '=', request.user.id)
    .orderBy('created_at')
    .orderBy('id');
  if (page.after !== null) {
    const [at, id] = page.after;
    rows = rows.where((row) =>
      row.or([row('created_at', '>', at), row.and([row('created_at', '=', at), row('id', '>', id)])]),
    );
  }
  if (page.limit !== null) rows = rows.limit(page.limit + 1);
  const found = await rows.execute();
  return cutPage(found, page, (row) => cursorOf(row.created_at, row.id), request.nextPage).map(renderProject);
};

export const getProject: Handler<'getProject'> = async (request) => renderProject(request.project);

export const createProject: Handler<'createProject'> = (request, { deps, plans }) =>
  request.create(request.body, async (trx) => {
    const { id: user } = request.user;
    await refuseProject(trx, user, plans, await lockedPlan(trx, user, plans));
    return renderProject(await insertProject(trx, { user, name: request.body.name }, deps.clock.now()));
  });

/** Creates a project with its own key. */
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

export const deleteProject: Handler<'deleteProject'> = (request, { deps, store, plans: rules }) =>
  store.write(async (trx) => {
    const { user_id: user } = request.project;
    if (limitsAccounts(rules)) await lockAccount(trx, user);
    await lockProject(trx, request.project);
    const now = deps.clock.now();
    await removeProject(trx, request.project.id, now);
    await refitAccount(trx, user, { rules, now });
  });

export const regenerateApiKey: Handler<'regenerateApiKey'> = (request, { deps, store }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const change = { api_key: newApiKey(), updated_at: deps.clock.now() };
    await trx.updateTable('project').set(change).where('id', '=', request.project.id).execute();
    return renderProject({ ...request.project, ...change });
  });

const renderProject = (row: Project): z.output<typeof project> => ({
  id: row.id,
  name: row.name,
  apiKey: row.api_key,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});
