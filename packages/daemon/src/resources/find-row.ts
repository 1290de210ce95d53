import type { Selectable } from 'kysely';
import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Project, Tables } from '../store/tables.ts';

/** The word for a row of each table in error messages. */
const kinds = {
  monitor: 'monitor',
  channel: 'channel',
  rule: 'alert rule',
  incident: 'incident',
  status_page: 'status page',
} as const;

/**
 * Resolves with the row that has this id in this project. Throws `not_found` for unknown ids, and for ids of other
 * projects.
 */
export async function findRow<T extends keyof typeof kinds>(
  db: Store['db'],
  table: T,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<Selectable<Tables[T]>> {
  // Ids with impossible characters are not looked up, because PostgreSQL refuses a text with NUL.
  const row = /^\w{1,63}$/.test(id)
    ? await db
        .selectFrom<keyof typeof kinds>(table)
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound(kinds[table]);
  // The row has all columns of the table. Kysely's types cannot express this if the table is a parameter.
  return row as Selectable<Tables[T]>;
}
