import type { Transaction } from 'kysely';
import { notFound } from '../errors.ts';
import type { Project, Tables } from '../store/tables.ts';

/**
 * Serializes the writes in a project, on PostgreSQL too, so that two edits of one monitor do not overwrite each other.
 * Throws `not_found` if the project was deleted after its credential was checked.
 */
export async function lockProject(trx: Transaction<Tables>, project: Pick<Project, 'id'>): Promise<void> {
  const touched = await trx
    .updateTable('project')
    .set((row) => ({ id: row.ref('id') }))
    .where('id', '=', project.id)
    .executeTakeFirst();
  if (touched.numUpdatedRows === 0n) throw notFound('project');
}
