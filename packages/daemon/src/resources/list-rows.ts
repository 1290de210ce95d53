import type { Selectable } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Project, Tables } from '../store/tables.ts';
import { cursorOf, cutPage, readPage } from './paging.ts';

type Listed = 'channel' | 'rule' | 'incident' | 'status_page';

interface Asked {
  project: Pick<Project, 'id'>;
  query: {
    limit?: string | undefined;
    cursor?: string | undefined;
    key?: string | undefined;
    name?: string | undefined;
  };
  nextPage: (cursor: string) => void;
}

/**
 * Resolves with the rows of a project in order of creation: with all rows, with one page, or with the rows that have a
 * given key or name. Throws `invalid_request` for a cursor that no list returned.
 */
export async function listRows<T extends Listed>(
  db: Store['db'],
  table: T,
  { project, query, nextPage }: Asked,
): Promise<Selectable<Tables[T]>[]> {
  const page = readPage(query);
  let rows = db.selectFrom<Listed>(table).selectAll().where('project_id', '=', project.id).orderBy('seq');
  if (query.key !== undefined) rows = rows.where('key', '=', query.key);
  if (query.name !== undefined) rows = rows.where('name', '=', query.name);
  if (page.after !== null) rows = rows.where('seq', '>', page.after[0]);
  if (page.limit !== null) rows = rows.limit(page.limit + 1);
  const shown = cutPage(await rows.execute(), page, (row) => cursorOf(row.seq), nextPage);
  // The rows have all columns of the table. Kysely's types cannot express this if the table is a parameter.
  return shown as Selectable<Tables[T]>[];
}
