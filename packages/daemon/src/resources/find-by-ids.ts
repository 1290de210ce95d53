import { type Fault, faultAt } from '@uptime/sdk/contract';
import type { Store } from '../store/store.ts';
import type { Project } from '../store/tables.ts';

/** The rows that were found for a list of ids. */
export interface Found {
  /** The rows in the order of the list, without duplicates. */
  rows: { seq: number; id: string }[];
  /**
   * One fault for each id that is not in this project. The fault is the same for unknown ids as for ids of other
   * projects.
   */
  faults: Fault[];
}

/** Finds the monitors or channels of a project by the ids in a field named `monitorIds` or `channelIds`. */
export async function findByIds(
  db: Store['db'],
  table: 'monitor' | 'channel',
  project: Pick<Project, 'id'>,
  ids: readonly string[],
): Promise<Found> {
  // Ids with impossible characters are not looked up, because PostgreSQL refuses a text with NUL.
  const asked = ids.filter((id) => /^\w{1,63}$/.test(id));
  const rows =
    asked.length === 0
      ? []
      : await db
          .selectFrom(table)
          .select(['seq', 'id'])
          .where('project_id', '=', project.id)
          .where('id', 'in', asked)
          .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const faults = ids.flatMap((id, index) => {
    const fault = faultAt(`${table}Ids.${index}`, 'unknown_id', { kind: table, id: id.slice(0, 63) });
    return known.has(id) ? [] : [fault];
  });
  return { rows: [...new Set(ids)].flatMap((id) => known.get(id) ?? []), faults };
}
