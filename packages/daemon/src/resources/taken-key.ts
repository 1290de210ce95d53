import type { Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { Project, Tables } from '../store/tables.ts';

const kinds = { monitor: 'monitor', channel: 'channel', rule: 'alert rule', status_page: 'status page' } as const;

/**
 * Throws `conflict` if another resource of the same kind in the project has the key. `self` is the `seq` of the edited
 * resource; null for a new resource.
 */
export async function refuseTakenKey(
  trx: Transaction<Tables>,
  table: keyof typeof kinds,
  project: Pick<Project, 'id'>,
  { key, self }: { key: string | null; self: number | null },
): Promise<void> {
  if (key === null) return;
  const holder = await trx
    .selectFrom(table)
    .select('seq')
    .where('project_id', '=', project.id)
    .where('key', '=', key)
    .executeTakeFirst();
  if (holder && holder.seq !== self) {
    throw new ServiceError('conflict', `The key "${key}" is taken by another ${kinds[table]} of this project.`);
  }
}
