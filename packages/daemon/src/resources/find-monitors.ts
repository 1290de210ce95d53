import type { Transaction } from 'kysely';
import { invalid } from '../errors.ts';
import type { Project, Tables } from '../store/tables.ts';
import { findByIds, type Found } from './find-by-ids.ts';

/**
 * Resolves with the monitors that have these ids, in the order of the ids, without duplicates. Throws `invalid_request`
 * with the position of every id that is not a monitor of this project.
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
