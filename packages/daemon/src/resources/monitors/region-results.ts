import type { regionResult } from '@uptime/sdk/contract';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { RegionReport } from '../../core/region-reports.ts';
import { selectUnfolded } from '../../store/recent-results.ts';
import { readResultCode } from '../../store/result-code.ts';
import type { Tables } from '../../store/tables.ts';
import { loadState } from '../../stored-monitors/load-state.ts';
import type { Backend } from '../handler.ts';
import { isoTimeOrNull } from '../iso-time.ts';

type Db = Pick<Kysely<Tables>, 'selectFrom'>;

/**
 * The time of a stored result may differ by this much from the time in the monitor's state, because the daemon may
 * correct its clock between the two writes.
 */
const toleranceMs = 2000;

/**
 * Resolves with the latest result of each region of a monitor. A region that does not report now has the status
 * `unknown` and no details.
 */
export async function readRegionResults(
  db: Db,
  { seq, intervalMs }: { seq: number; intervalMs: number },
  { regionsOf }: Pick<Backend, 'regionsOf'>,
): Promise<z.output<typeof regionResult>[]> {
  const state = await loadState(db, seq);
  if (!state) throw new Error(`monitor ${seq} has no state`);
  const reports = regionsOf(seq, state, intervalMs);
  if (reports.length === 0) return [];
  const names = await db
    .selectFrom('region')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      reports.map(({ region }) => region),
    )
    .execute();
  const results = [];
  for (const report of reports) {
    const found = report.status === 'unknown' ? undefined : await resultOf(db, seq, report);
    const code = found && readResultCode(found.code);
    results.push({
      region: names.find(({ id }) => id === report.region)?.name ?? '',
      status: report.status,
      responseTime: found?.tenths == null ? null : found.tenths / 10,
      statusCode: code?.statusCode ?? null,
      error: code?.error ? { code: code.error, message: found?.error_message ?? '' } : null,
      checkedAt: isoTimeOrNull(report.at),
    });
  }
  return results.toSorted((one, other) => (one.region < other.region ? -1 : 1));
}

/**
 * Resolves with the stored result that belongs to a region's report. The result is among the recent results, or has
 * already moved to the table `result`.
 */
async function resultOf(db: Db, monitor: number, { region, at }: RegionReport) {
  if (at === null) return undefined;
  const [from, until] = [at - toleranceMs, at + toleranceMs];
  const recent = await selectUnfolded(db, 'results')
    .leftJoin('result_detail as detail', (join) =>
      join
        .onRef('detail.monitor', '=', 'recent.monitor')
        .onRef('detail.at', '=', 'recent.at')
        .onRef('detail.region', '=', 'recent.region'),
    )
    .select('detail.error_message')
    .where('recent.monitor', '=', monitor)
    .where('recent.region', '=', region)
    .where('recent.at', '>=', from)
    .where('recent.at', '<=', until)
    .orderBy('recent.at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (recent) return recent;
  return db
    .selectFrom('result')
    .leftJoin('result_detail as detail', (join) =>
      join
        .onRef('detail.monitor', '=', 'result.monitor')
        .onRef('detail.at', '=', 'result.at')
        .onRef('detail.region', '=', 'result.region'),
    )
    .select(['result.at', 'result.code', 'result.tenths', 'detail.error_message'])
    .where('result.monitor', '=', monitor)
    .where('result.region', '=', region)
    .where('result.at', '>=', from)
    .where('result.at', '<=', until)
    .orderBy('result.at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
