import type { Transaction } from 'kysely';
import { invalid } from '../errors.ts';
import type { MonitorRow, Project, Tables } from '../store/tables.ts';

/**
 * The monitors of these ids in their order, each once. Throws `invalid_request` with the place of every id that is no
 * monitor of this project.
 */
export async function findMonitors(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  ids: readonly string[],
): Promise<Pick<MonitorRow, 'seq' | 'id'>[]> {
  // PostgreSQL takes no NUL in a text, so that what can't be an id is never asked for.
  const asked = ids.filter((id) => /^mon_\w+$/.test(id));
  const rows =
    asked.length === 0
      ? []
      : await trx
          .selectFrom('monitor')
          .select(['seq', 'id'])
          .where('project_id', '=', project.id)
          .where('id', 'in', asked)
          .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((index) => ({ path: `monitorIds.${index}`, message: 'must be the id of a monitor of this project' })),
    );
  }
  return [...new Set(ids)].map((id) => known.get(id)!);
}
