import type { Transaction } from 'kysely';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { Tables } from '../store/tables.ts';

/** Rows removed in one transaction: few enough that a ping waiting for the writer is not delayed noticeably. */
const piece = 1000;

/** Longest retention of hours, in milliseconds. */
export const longestKept = 400 * dayMs;

/** Everything before these is deleted: epoch milliseconds for single rows, period numbers for rollups. */
export interface Horizons {
  raw: number;
  timings: number;
  histogram: number;
  hours: number;
  checkHours: number;
  days: number;
}

/** Removes one piece of a monitor's data past its retention. Resolves with whether there is more. */
export async function forgetPast(trx: Transaction<Tables>, monitor: number, before: Horizons): Promise<boolean> {
  const more = await removeResults(trx, monitor, before.raw);
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).where('period', '<', before.hours).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).where('period', '<', before.days).execute();
  const longAgo = before.days * dayMs;
  await trx.deleteFrom('status_change').where('monitor', '=', monitor).where('at', '<', longAgo).execute();
  await trx.deleteFrom('episode').where('monitor', '=', monitor).where('closed_at', '<', longAgo).execute();
  return more;
}

/**
 * Removes one piece of all monitors' data past its retention: pings, timings of passed checks, and hours. `since` is
 * where the last piece of timings ended. Resolves with where this one did, or null if there is no more.
 */
export async function forgetShared(trx: Transaction<Tables>, since: number, before: Horizons): Promise<number | null> {
  if (await removePings(trx, before.raw)) return since;
  await trx.deleteFrom('response_histogram').where('hour', '<', before.histogram).execute();
  await trx.deleteFrom('check_hour').where('hour', '<', before.checkHours).execute();
  const last = await trx
    .selectFrom('result_detail')
    .select('at')
    .where('at', '>=', since)
    .where('at', '<', before.timings)
    .orderBy('at')
    .offset(piece)
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
 * Removes one piece of alert data before these times, in epoch milliseconds: finished messages and closed alerts. It
 * keeps the alarm of an open alert, because reminders repeat it. Resolves with whether there is more.
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
    .limit(piece)
    .execute();
  const alerts = await trx
    .selectFrom('alert')
    .select('seq')
    .where('resolved_at', '<', before.alerts)
    .limit(piece)
    .execute();
  const seqs = (rows: { seq: number }[]) => rows.map(({ seq }) => seq);
  if (deliveries.length > 0) await trx.deleteFrom('delivery').where('seq', 'in', seqs(deliveries)).execute();
  if (alerts.length > 0) await trx.deleteFrom('alert').where('seq', 'in', seqs(alerts)).execute();
  return deliveries.length === piece || alerts.length === piece;
}

/** Removes counts of limits that are free again, and counts of codes older than a day. `now` in epoch milliseconds. */
export async function forgetMessageCounts(trx: Transaction<Tables>, now: number): Promise<void> {
  await trx.deleteFrom('message_budget').where('full_at', '<', now).execute();
  await trx
    .deleteFrom('address_codes')
    .where('latest_at', '<', now - dayMs)
    .execute();
}

/** Removes one piece of a deleted monitor's results. Resolves with whether there was one. */
export async function purgeDeleted(trx: Transaction<Tables>, now: number): Promise<boolean> {
  const next = await trx.selectFrom('purge').selectAll().limit(1).executeTakeFirst();
  if (!next) return false;
  const { monitor } = next;
  if (await removeResults(trx, monitor, Number.MAX_SAFE_INTEGER)) return true;
  if (await removePingsOf(trx, monitor)) return true;
  if (await removeChangesOf(trx, monitor)) return true;
  const hours = hoursBetween(Math.max(next.created_at, now - longestKept), now);
  for (let at = 0; at < hours.length; at += piece) {
    const some = hours.slice(at, at + piece);
    await trx.deleteFrom('response_histogram').where('hour', 'in', some).where('monitor', '=', monitor).execute();
    await trx.deleteFrom('check_hour').where('hour', 'in', some).where('monitor', '=', monitor).execute();
  }
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('episode').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('purge').where('monitor', '=', monitor).execute();
  return true;
}

/** The numbers of the hours of a span of epoch milliseconds. */
export function hoursBetween(from: number, until: number): number[] {
  const first = Math.floor(from / hourMs);
  return Array.from({ length: Math.max(0, Math.floor(until / hourMs) - first + 1) }, (_, i) => first + i);
}

/** Removes the oldest results before a time, one piece of them, with their details. */
async function removeResults(trx: Transaction<Tables>, monitor: number, before: number): Promise<boolean> {
  const old = await trx
    .selectFrom('result')
    .select('at')
    .where('monitor', '=', monitor)
    .where('at', '<', before)
    .orderBy('at')
    .limit(piece)
    .execute();
  if (old.length === 0) return false;
  const times = old.map((row) => row.at);
  await trx.deleteFrom('result_detail').where('at', 'in', times).where('monitor', '=', monitor).execute();
  await trx.deleteFrom('result').where('monitor', '=', monitor).where('at', '<=', times.at(-1)!).execute();
  return old.length === piece;
}

/** Removes one piece of a monitor's pings. A ping without metrics has only its time, and is removed by age. */
async function removePingsOf(trx: Transaction<Tables>, monitor: number): Promise<boolean> {
  const some = await trx
    .selectFrom('ping')
    .select('id')
    .where('monitor', '=', monitor)
    .where('metrics', 'is not', null)
    .limit(piece)
    .execute();
  if (some.length === 0) return false;
  const ids = some.map((ping) => ping.id);
  await trx.deleteFrom('ping').where('id', 'in', ids).execute();
  return true;
}

/** Removes one piece of a monitor's changes of status. */
async function removeChangesOf(trx: Transaction<Tables>, monitor: number): Promise<boolean> {
  const some = await trx.selectFrom('status_change').select('id').where('monitor', '=', monitor).limit(piece).execute();
  if (some.length === 0) return false;
  const ids = some.map((change) => change.id);
  await trx.deleteFrom('status_change').where('id', 'in', ids).execute();
  return true;
}

/** Removes the oldest pings before a time, one piece of them. They are numbered in order of arrival. */
async function removePings(trx: Transaction<Tables>, before: number): Promise<boolean> {
  const oldest = await trx.selectFrom('ping').select(['id', 'at']).orderBy('id').limit(piece).execute();
  const last = oldest.findLast((ping) => ping.at < before);
  if (!last) return false;
  await trx.deleteFrom('ping').where('id', '<=', last.id).execute();
  return last.id === oldest.at(-1)!.id;
}
