import type { projectKey } from '@uptime/sdk/contract';
import { faultAt } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { invalid, notFound, ServiceError } from '../../errors.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { newId } from '../../store/ids.ts';
import type { ProjectKeyRow } from '../../store/tables.ts';
import type { Handler } from '../handler.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { listByAge } from '../list-by-age.ts';
import { lockProject } from '../lock-project.ts';
import { newApiKey } from '../secrets.ts';
import { digestOfKey } from './opened-project.ts';

export const listProjectKeys: Handler<'listProjectKeys'> = (request, { store }) =>
  listByAge(
    request,
    (after, maxRows) => {
      let rows = store.db.selectFrom('project_key').selectAll().where('project_id', '=', request.project.id);
      if (after !== null) {
        const [at, id] = after;
        rows = rows.where((row) =>
          row.or([row('created_at', '>', at), row.and([row('created_at', '=', at), row('id', '>', id)])]),
        );
      }
      return rows.orderBy('created_at').orderBy('id').limit(maxRows).execute();
    },
    renderKey,
  );

export const getCurrentKey: Handler<'getCurrentKey'> = async ({ project: { id: projectId, key } }) => ({
  projectId,
  id: key?.id ?? null,
  name: key?.name ?? null,
  scope: key?.scope ?? 'full',
  expiresAt: isoTimeOrNull(key?.expires_at ?? null),
});

export const createProjectKey: Handler<'createProjectKey'> = async (request, { deps, plans, seal }) => {
  const { project } = request;
  const { name, scope } = request.body;
  const now = deps.clock.now();
  const expiresAt = request.body.expiresAt === null ? null : Date.parse(request.body.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw invalid([faultAt('expiresAt', 'not_in_future')]);
  const until = project.key?.expires_at ?? null;
  // Without this check, a caller with a key that is valid for a day could create a key that never expires.
  if (until !== null && (expiresAt === null || expiresAt > until)) {
    const detail = `A key cannot create a key that expires later: set expiresAt to ${isoTime(until)} or before, or use the project's own key.`;
    throw new ServiceError('forbidden', detail);
  }
  const made = await request.create(request.body, async (trx) => {
    await lockProject(trx, project);
    const taken = await trx
      .selectFrom('project_key')
      .select('id')
      .where('project_id', '=', project.id)
      .where('name', '=', name)
      .executeTakeFirst();
    if (taken) {
      throw new ServiceError(
        'conflict',
        `A key of this project has the name "${name}": choose another name, or delete that key.`,
      );
    }
    await refuseGrowth(trx, project, plans, { keys: 1 });
    const key = newApiKey();
    const row: ProjectKeyRow = {
      id: newId('key', now),
      project_id: project.id,
      name,
      scope,
      digest: digestOfKey(key),
      expires_at: expiresAt,
      last_used_at: null,
      created_at: now,
    };
    await trx.insertInto('project_key').values(row).execute();
    // If the request has an Idempotency-Key, this answer is stored. So it contains the key only in encrypted form.
    return { ...renderKey(row), key: seal.close(key, row.id) };
  });
  const key = seal.open(made.key, made.id);
  if (key === null) {
    const detail = `The key ${made.id} was created and cannot be shown again: delete it, and create another.`;
    throw new ServiceError('conflict', detail);
  }
  deps.log.info({ project: project.id, key: made.id, scope, by: project.key?.id ?? null }, 'created a key');
  return { ...made, key };
};

export const deleteProjectKey: Handler<'deleteProjectKey'> = async ({ project, params }, { store, deps }) => {
  await store.write(async (trx) => {
    await lockProject(trx, project);
    const deleted = /^key_\w{1,60}$/.test(params.keyId)
      ? await trx
          .deleteFrom('project_key')
          .where('id', '=', params.keyId)
          .where('project_id', '=', project.id)
          .executeTakeFirst()
      : undefined;
    if (!deleted?.numDeletedRows) throw notFound('key');
  });
  deps.log.info({ project: project.id, key: params.keyId, by: project.key?.id ?? null }, 'revoked a key');
};

const renderKey = (row: ProjectKeyRow): z.output<typeof projectKey> => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  expiresAt: isoTimeOrNull(row.expires_at),
  lastUsedAt: isoTimeOrNull(row.last_used_at),
  createdAt: isoTime(row.created_at),
});
