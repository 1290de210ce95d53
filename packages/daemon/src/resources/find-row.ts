import type { Selectable } from 'kysely';
import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Project, Tables } from '../store/tables.ts';

/** What people call a row of each table. */
const kinds = {
  monitor: 'monitor',
  channel: 'channel',
  rule: 'alert rule',
  incident: 'incident',
  status_page: 'status page',
} as const;

/** The row of this id in this project; throws `not_found` alike for an unknown one and another project's. */
export async function findRow<T extends keyof typeof kinds>(
  db: Store['db'],
  table: T,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<Selectable<Tables[T]>> {
  // PostgreSQL takes no NUL in a text, so that what can't be an id is never asked for.
  const row = /^\w{1,63}$/.test(id)
    ? await db
        .selectFrom<keyof typeof kinds>(table)
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound(kinds[table]);
  // All columns of the one table: Kysely does not follow a table that is a parameter.
  return row as Selectable<Tables[T]>;
}
