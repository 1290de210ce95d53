import type { Fault } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { Project, Tables } from '../store/tables.ts';

/** What the ids of a list name. */
export interface Found {
  /** In the order of the list, each once. */
  rows: { seq: number; id: string }[];
  /** The place of every id that names nothing in this project: unknown and another project's are not told apart. */
  faults: Fault[];
}

/** The monitors or channels of a project that a list named `monitorIds` or `channelIds` names. */
export async function findByIds(
  trx: Transaction<Tables>,
  table: 'monitor' | 'channel',
  project: Pick<Project, 'id'>,
  ids: readonly string[],
): Promise<Found> {
  // PostgreSQL takes no NUL in a text, so that what can't be an id is never asked for.
  const asked = ids.filter((id) => /^\w{1,63}$/.test(id));
  const rows =
    asked.length === 0
      ? []
      : await trx
          .selectFrom(table)
          .select(['seq', 'id'])
          .where('project_id', '=', project.id)
          .where('id', 'in', asked)
          .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const faults = ids.flatMap((id, index) => {
    const message = `must be the id of a ${table} of this project; none is ${id.slice(0, 63)}`;
    return known.has(id) ? [] : [{ path: `${table}Ids.${index}`, message }];
  });
  return { rows: [...new Set(ids)].flatMap((id) => known.get(id) ?? []), faults };
}
