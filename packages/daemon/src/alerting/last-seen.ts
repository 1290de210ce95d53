import type { Transaction } from 'kysely';
import type { Notice } from '../channels/notice.ts';
import { dayMs } from '../core/uptime.ts';
import { selectUnfolded } from '../store/recent-results.ts';
import { readResultCode } from '../store/result-code.ts';
import type { Tables } from '../store/tables.ts';

/** Number of the latest results that are searched. A round has fewer results than this, even with all regions. */
const lookedAt = 40;
/**
 * Only results of the last two days are searched, so that PostgreSQL reads few partitions. That is enough, because a
 * monitor is checked at least once a day.
 */
const searchedMs = 2 * dayMs;

/**
 * Resolves with the details of the latest failed (or passed) check up to `until` (epoch milliseconds). Null if there is
 * no such check among the recent checks.
 */
export async function lastSeen(
  trx: Transaction<Tables>,
  monitor: number,
  { until, failed }: { until: number; failed: boolean },
): Promise<Notice['details'] | null> {
  const moved = await trx
    .selectFrom('result')
    .select(['at', 'code', 'tenths', 'region'])
    .where('monitor', '=', monitor)
    .where('at', '<=', until)
    .where('at', '>', until - searchedMs)
    .orderBy('at', 'desc')
    .limit(lookedAt)
    .execute();
  const recent = await selectUnfolded(trx, 'results')
    .where('recent.monitor', '=', monitor)
    .where('recent.at', '<=', until)
    .orderBy('recent.at', 'desc')
    .limit(lookedAt)
    .execute();
  const results = [...recent, ...moved].toSorted((one, other) => other.at - one.at).slice(0, lookedAt);
  const seen = results.find(({ code }) => (readResultCode(code).error !== null) === failed);
  if (!seen) return null;
  const region = await trx.selectFrom('region').select('name').where('id', '=', seen.region).executeTakeFirst();
  return {
    statusCode: readResultCode(seen.code).statusCode ?? 0,
    responseTime: (seen.tenths ?? 0) / 10,
    region: region?.name ?? '',
  };
}
