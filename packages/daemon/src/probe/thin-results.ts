import type { Transaction } from 'kysely';
import { thinnedOut } from '../core/thin-runs.ts';
import type { Tables } from '../store/tables.ts';

/**
 * Thins some of the waiting results, beginning after this number. Returns the last number that it examined, or null at
 * the end.
 */
export async function thinPart(trx: Transaction<Tables>, after: number, limit: number): Promise<number | null> {
  const rows = await trx
    .selectFrom('probe_result')
    .select(['seq', 'monitor', 'verdict'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const gone = thinnedOut(rows);
  for (let at = 0; at < gone.length; at += 500)
    await trx
      .deleteFrom('probe_result')
      .where('seq', 'in', gone.slice(at, at + 500))
      .execute();
  return rows.at(-1)?.seq ?? null;
}
