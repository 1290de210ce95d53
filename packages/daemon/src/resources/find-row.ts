import type { Selectable } from 'kysely';
import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Project, Tables } from '../store/tables.ts';

/** The users' word for a row of each table. */
const kinds = {
  monitor: 'monitor',
  channel: 'channel',
  rule: 'alert rule',
  incident: 'incident',
  status_page: 'status page',
} as const;

/** The row with this id in this project. Throws `not_found` for unknown ids, and for ids of other projects. */
export async function findRow<T extends keyof typeof kinds>(
  db: Store['db'],
  table: T,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<Selectable<Tables[T]>> {
  // PostgreSQL refuses NUL in a text, so impossible ids are never queried.
  const row = /^\w{1,63}$/.test(id)
    ? await db
        .selectFrom<keyof typeof kinds>(table)
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound(kinds[table]);
  // The row has all columns. Kysely's types cannot express this for a table that is a parameter.
  return row as Selectable<Tables[T]>;
}
