import { notFound } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { MonitorRow, Project } from '../store/tables.ts';

/** The monitor of this id in this project; throws `not_found` alike for an unknown one and another project's. */
export async function findMonitor(db: Store['db'], project: Project, id: string): Promise<MonitorRow> {
  // PostgreSQL takes no NUL in a text, so that what can't be an id is never asked for.
  const row = /^mon_\w+$/.test(id)
    ? await db
        .selectFrom('monitor')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', project.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('monitor');
  return row;
}
