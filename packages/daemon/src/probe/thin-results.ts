import type { Transaction } from 'kysely';
import { deletableResults } from '../core/thin-runs.ts';
import type { Tables } from '../store/tables.ts';

/** Maximum number of results that one statement deletes. */
const deletedAtOnce = 500;

/**
 * Examines up to `limit` waiting results after the number `after`, and deletes those that `deletableResults` names.
 * Returns the last number that it examined, or null if no results follow.
 */
export async function thinPart(trx: Transaction<Tables>, after: number, limit: number): Promise<number | null> {
  const rows = await trx
    .selectFrom('probe_result')
    .select(['seq', 'monitor', 'verdict'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const gone = deletableResults(rows);
  for (let at = 0; at < gone.length; at += deletedAtOnce)
    await trx
      .deleteFrom('probe_result')
      .where('seq', 'in', gone.slice(at, at + deletedAtOnce))
      .execute();
  return rows.at(-1)?.seq ?? null;
}
