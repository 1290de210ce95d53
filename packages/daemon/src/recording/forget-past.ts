import { sql, type Transaction } from 'kysely';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { Dialect } from '../store/dialect.ts';
import { firstPartition, otherPartition } from '../store/result-partitions.ts';
import type { ResultTable, Tables } from '../store/tables.ts';

/** Maximum number of rows in a batch. A transaction removes only one batch, so that pings wait only briefly. */
export const maxPieceRows = 1000;

/** How long the timings of passed checks are kept. */
export const timingsKeptMs = dayMs;
/** How long closed alerts and the hourly counts of checks are kept. */
export const maxKeptMs = 400 * dayMs;

/**
 * Data from before these times is deleted. `raw` and `timings` are epoch milliseconds. `days` is a number of days since
 * the epoch, and the other fields are numbers of hours since the epoch.
 */
export interface Horizons {
  raw: number;
  timings: number;
  histogram: number;
  hours: number;
  checkHours: number;
  days: number;
}

/** Returns the times before which data is past its retention at `now` (epoch milliseconds). */
export const horizonsAt = (now: number, rawRetentionDays: number): Horizons => ({
  raw: now - rawRetentionDays * dayMs,
  timings: now - timingsKeptMs,
  histogram: Math.floor(now / hourMs) - 48,
  hours: Math.floor(now / hourMs) - 40 * 24,
  checkHours: Math.floor((now - maxKeptMs) / hourMs),
  days: Math.floor(now / dayMs) - 800,
});

/**
 * The tables from which old results are deleted row by row, in batches. On PostgreSQL, all other partitions of `result`
 * are dropped as a whole: see store/result-partitions.ts.
 */
const tablesInPieces = { sqlite: ['result'], postgres: [firstPartition, otherPartition] } as const;

/** Removes a batch of a monitor's rows that are past their retention. Resolves with whether more may be left. */
export async function forgetPast(
  trx: Transaction<Tables>,
  monitor: number,
  before: Horizons,
  dialect: Pick<Dialect, 'name'>,
): Promise<boolean> {
  let more = false;
  for (const table of tablesInPieces[dialect.name])
    more = (await removeResults(trx, monitor, before.raw, table)) || more;
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).where('period', '<', before.hours).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).where('period', '<', before.days).execute();
  const longAgo = before.days * dayMs;
  await trx.deleteFrom('status_change').where('monitor', '=', monitor).where('at', '<', longAgo).execute();
  await trx.deleteFrom('outage').where('monitor', '=', monitor).where('closed_at', '<', longAgo).execute();
  return more;
}

/**
 * Removes a batch of rows that are past their retention, for all monitors together: pings, hourly counts, or timings of
 * passed checks. Timings are removed in order of time, from `since` on. Resolves with the `since` to pass to the next
 * call, or null if nothing is left.
 */
export async function forgetShared(trx: Transaction<Tables>, since: number, before: Horizons): Promise<number | null> {
  if (await removePings(trx, before.raw)) return since;
  if (await removeHours(trx, 'response_histogram', before.histogram)) return since;
  if (await removeHours(trx, 'check_hour', before.checkHours)) return since;
  const last = await trx
    .selectFrom('result_detail')
    .select('at')
    .where('at', '>=', since)
    .where('at', '<', before.timings)
    .orderBy('at')
    .offset(maxPieceRows)
    .limit(1)
    .executeTakeFirst();
  const until = last?.at ?? before.timings;
  await trx
    .deleteFrom('result_detail')
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('error_message', 'is', null)
    .execute();
  return last ? until : null;
}

/**
 * Removes a batch of old messages and alerts: messages that finished before `before.deliveries`, and alerts that were
 * resolved before `before.alerts` (epoch milliseconds). Keeps the alarm of an open alert, because reminders repeat the
 * alarm. Resolves with whether more may be left.
 */
export async function forgetAlerts(
  trx: Transaction<Tables>,
  before: { deliveries: number; alerts: number },
): Promise<boolean> {
  const deliveries = await trx
    .selectFrom('delivery')
    .innerJoin('alert', 'alert.seq', 'delivery.alert')
    .select('delivery.seq')
    .where('delivery.finished_at', '<', before.deliveries)
    .where((either) => either.or([either('kind', '!=', 'alarm'), either('alert.resolved_at', 'is not', null)]))
    .limit(maxPieceRows)
    .execute();
  const alerts = await trx
    .selectFrom('alert')
    .select('seq')
    .where('resolved_at', '<', before.alerts)
    .limit(maxPieceRows)
    .execute();
  const seqs = (rows: { seq: number }[]) => rows.map(({ seq }) => seq);
  if (deliveries.length > 0) await trx.deleteFrom('delivery').where('seq', 'in', seqs(deliveries)).execute();
  if (alerts.length > 0) await trx.deleteFrom('alert').where('seq', 'in', seqs(alerts)).execute();
  return deliveries.length === maxPieceRows || alerts.length === maxPieceRows;
}

/**
 * Removes some answers that were kept for repeated requests for a day. Resolves with whether the caller should call it
 * again at once. New answers have the highest numbers, so only the lowest numbers are read. Also removes answers from
 * more than a day in the future, which were stored while the clock was wrong.
 */
export async function forgetAnswers(trx: Transaction<Tables>, now: number): Promise<boolean> {
  const [from, until] = [now - dayMs, now + dayMs];
  const first = await trx
    .selectFrom('idempotency')
    .select(['seq', 'created_at'])
    .orderBy('seq')
    .limit(maxPieceRows)
    .execute();
  const last = first.at(-1);
  if (!last) return false;
  await trx
    .deleteFrom('idempotency')
    .where('seq', '<=', last.seq)
    .where((either) => either.or([either('created_at', '<', from), either('created_at', '>', until)]))
    .execute();
  const isLastRemoved = last.created_at < from || last.created_at > until;
  return first.length === maxPieceRows && isLastRemoved;
}

/**
 * Removes message budgets that are full again. If no confirmation code was sent to an address for a day, also removes
 * the count of codes for that address.
 */
export async function forgetMessageCounts(trx: Transaction<Tables>, now: number): Promise<void> {
  await trx.deleteFrom('message_budget').where('full_at', '<', now).execute();
  await trx
    .deleteFrom('address_codes')
    .where('latest_at', '<', now - dayMs)
    .execute();
}

/** Returns the numbers of all hours from the hour of `from` to the hour of `until`, including both. */
export function hoursBetween(from: number, until: number): number[] {
  const first = Math.floor(from / hourMs);
  return Array.from({ length: Math.max(0, Math.floor(until / hourMs) - first + 1) }, (_, i) => first + i);
}

/**
 * Removes a batch of a monitor's results before a time, the oldest first, with their details. Resolves with whether
 * more may be left.
 */
export async function removeResults(
  trx: Transaction<Tables>,
  monitor: number,
  before: number,
  table: (typeof tablesInPieces)[Dialect['name']][number] = 'result',
): Promise<boolean> {
  // The cast is safe, because a partition has the same columns as the whole table.
  const partitions = trx as unknown as Transaction<Record<typeof table, ResultTable>>;
  const old = await partitions
    .selectFrom(table)
    .select('at')
    .where('monitor', '=', monitor)
    .where('at', '<', before)
    .orderBy('at')
    .limit(maxPieceRows)
    .execute();
  if (old.length === 0) return false;
  const times = old.map((row) => row.at);
  await trx.deleteFrom('result_detail').where('at', 'in', times).where('monitor', '=', monitor).execute();
  await partitions.deleteFrom(table).where('monitor', '=', monitor).where('at', '<=', times.at(-1)!).execute();
  return old.length === maxPieceRows;
}

/**
 * Removes a batch of the pings of all heartbeats before a time, the oldest first. Ids of pings are in order of
 * arrival. Resolves with whether more may be left.
 */
async function removePings(trx: Transaction<Tables>, before: number): Promise<boolean> {
  const oldest = await trx.selectFrom('ping').select(['id', 'at']).orderBy('id').limit(maxPieceRows).execute();
  const last = oldest.findLast((ping) => ping.at < before);
  if (!last) return false;
  await trx.deleteFrom('ping').where('id', '<=', last.id).execute();
  return last.id === oldest.at(-1)!.id;
}

/**
 * Removes a batch of the hourly counts of all monitors before an hour, the oldest first. Resolves with whether more
 * are left.
 */
async function removeHours(
  trx: Transaction<Tables>,
  table: 'response_histogram' | 'check_hour',
  before: number,
): Promise<boolean> {
  const next = await trx
    .selectFrom(table)
    .select(['hour', 'monitor'])
    .where('hour', '<', before)
    .orderBy('hour')
    .orderBy('monitor')
    .offset(maxPieceRows)
    .limit(1)
    .executeTakeFirst();
  await trx
    .deleteFrom(table)
    .where('hour', '<', before)
    .$if(next !== undefined, (rest) => rest.where(sql<boolean>`(hour, monitor) <= (${next!.hour}, ${next!.monitor})`))
    .execute();
  return next !== undefined;
}
