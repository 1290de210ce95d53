import type { Transaction } from 'kysely';
import { notFound, ServiceError } from '../errors.ts';
import { removedOwner } from '../lifecycle/remove-project.ts';
import type { Tables } from '../store/tables.ts';
import type { OpenedProject } from './project-keys/opened-project.ts';

/**
 * Locks a project until the transaction ends. So transactions that write to one project run one after another, on
 * PostgreSQL too, and two edits of one monitor do not overwrite each other. Throws `not_found` if the project was
 * deleted after the request's credential was checked, and `unauthenticated` if the key was revoked after that check. So
 * once a key is revoked, requests that began earlier cannot write with it either.
 */
export async function lockProject(
  trx: Transaction<Tables>,
  { id, key, api_key: ownKey }: Pick<OpenedProject, 'id' | 'key' | 'api_key'>,
): Promise<void> {
  const project = await trx
    .updateTable('project')
    // No other table refers to the name. If the id were set, SQLite would read all rows that refer to the project.
    .set((row) => ({ name: row.ref('name') }))
    .where('id', '=', id)
    .where('user_id', '!=', removedOwner)
    .returning('api_key')
    .executeTakeFirst();
  if (!project) throw notFound('project');
  if (key === null) return;
  const isValid =
    key.id === null
      ? project.api_key === ownKey
      : (await trx.selectFrom('project_key').select('id').where('id', '=', key.id).executeTakeFirst()) !== undefined;
  if (!isValid) throw new ServiceError('unauthenticated', 'This API key was revoked.');
}
