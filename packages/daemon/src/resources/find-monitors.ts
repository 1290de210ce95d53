import type { Transaction } from 'kysely';
import { invalid } from '../errors.ts';
import type { Project, Tables } from '../store/tables.ts';
import { findByIds, type Found } from './find-by-ids.ts';

/**
 * The monitors of these ids in their order, each once. Throws `invalid_request` with the place of every id that is no
 * monitor of this project.
 */
export async function findMonitors(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  ids: readonly string[],
): Promise<Found['rows']> {
  const { rows, faults } = await findByIds(trx, 'monitor', project, ids);
  if (faults.length > 0) throw invalid(faults);
  return rows;
}
