import type { Transaction } from 'kysely';
import type { Notice } from '../channels/notice.ts';
import { dayMs } from '../core/uptime.ts';
import { selectUnfolded } from '../store/recent-results.ts';
import { readResultCode } from '../store/result-code.ts';
import type { Tables } from '../store/tables.ts';

/** How many of the latest results are searched. A round never has so many, even with results of all regions. */
const lookedAt = 40;
/**
 * The search covers only this time, so that PostgreSQL reads few partitions. A monitor is checked at least once a day.
 */
const searchedMs = 2 * dayMs;

/**
 * The details of the latest failed or passed check up to a time (epoch milliseconds); null if there is no recent check.
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
