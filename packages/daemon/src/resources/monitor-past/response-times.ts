import { sql } from 'kysely';
import { hourMs } from '../../core/uptime.ts';
import { hoursBetween, maxKeptMs } from '../../recording/forget-past.ts';
import { readResultCode } from '../../store/result-code.ts';
import type { Store } from '../../store/store.ts';
import { findRow } from '../find-row.ts';
import type { AnswerOf, Handler, Pages } from '../handler.ts';
import { inPages } from './in-pages.ts';
import { type DayRange, dayRange, timeOf } from './range.ts';
import { oldestResult, storedResults } from './stored-results.ts';

type Items = AnswerOf<'getResponseTimes'>;

/**
 * Lists the response time of each check of the range in order of time. For an hour whose checks were deleted, the list
 * has one average for each region.
 */
export const getResponseTimes: Handler<'getResponseTimes'> = async (request, { store, deps }) => {
  const { seq } = await findRow(store.db, 'monitor', request.project, request.params.monitorId);
  const now = deps.clock.now();
  const range = dayRange(request.query, 7, now);
  const rawFrom = (await oldestResult(store, seq, range)) ?? range.until;
  const hoursUntil = Math.min(range.until, rawFrom, now + hourMs);
  const read = ({ from, until }: DayRange) =>
    responseTimes(store, seq, { from, until, rawFrom: Math.max(rawFrom, from), hoursUntil });
  const { region } = request.query;
  const isWanted = (item: Items[number]) => region === undefined || item.region === region;
  return inPages(request, range, { read: (part) => only(isWanted, read(part)), timeOf });
};

async function* only<T>(isWanted: (item: T) => boolean, pages: Pages<T>): Pages<T> {
  for await (const items of pages) yield items.filter(isWanted);
}

async function* responseTimes(
  store: Store,
  monitor: number,
  { from, until, rawFrom, hoursUntil }: DayRange & { rawFrom: number; hoursUntil: number },
): Pages<Items[number]> {
  const hours = await hourlyAverages(store, monitor, { from, until: hoursUntil });
  if (hours.length > 0) yield hours;
  const names = new Map<number, string>();
  for await (const rows of storedResults(store, monitor, { from: rawFrom, until })) {
    await addNames(store, names, rows);
    yield rows.map((row) => {
      const { error, statusCode } = readResultCode(row.code);
      return {
        timestamp: new Date(row.at).toISOString(),
        responseTime: row.tenths === null ? null : row.tenths / 10,
        region: names.get(row.region) ?? '',
        status: error ? ('down' as const) : ('up' as const),
        statusCode,
        error: error && { code: error, message: row.error_message ?? '' },
        timings: readTimings(row.timings),
      };
    });
  }
}

/**
 * Adds the names of the regions that `names` lacks. Does not read all regions, because there may be many that only
 * other projects use.
 */
async function addNames(store: Store, names: Map<number, string>, rows: readonly { region: number }[]): Promise<void> {
  const missing = [...new Set(rows.map(({ region }) => region))].filter((region) => !names.has(region));
  if (missing.length === 0) return;
  const regions = await store.db.selectFrom('region').select(['id', 'name']).where('id', 'in', missing).execute();
  for (const { id, name } of regions) names.set(id, name);
}

function readTimings(json: string | null): Items[number]['timings'] {
  if (json === null) return null;
  const [dns = null, connect = null, tls = null, firstByte = null, download = null] = JSON.parse(json) as (
    number | null
  )[];
  return { dns, connect, tls, firstByte, download };
}

async function hourlyAverages(store: Store, monitor: number, { from, until }: DayRange): Promise<Items> {
  // An hour gets an average only if retention has deleted all its checks. If it has deleted only some of them, the
  // remaining checks are listed.
  const hours = hoursBetween(Math.max(from, until - maxKeptMs), until - hourMs);
  if (hours.length === 0) return [];
  const rows = await store.db
    .selectFrom('check_hour')
    .innerJoin('region', 'region.id', 'check_hour.region')
    .select(['hour', 'checks', 'failed', 'tenths_sum', 'region.name'])
    .where('monitor', '=', monitor)
    .where('hour', 'in', hours)
    .orderBy('hour')
    .orderBy(sql`region.id`)
    .execute();
  return rows.map((row) => {
    const passed = row.checks - row.failed;
    return {
      timestamp: new Date(row.hour * hourMs).toISOString(),
      responseTime: passed > 0 ? Math.round(row.tenths_sum / passed) / 10 : null,
      region: row.name,
      status: row.failed * 2 > row.checks ? ('down' as const) : ('up' as const),
      statusCode: null,
      error: null,
      timings: null,
    };
  });
}
