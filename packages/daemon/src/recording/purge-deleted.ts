import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { hoursBetween, maxKeptMs, maxPieceRows, removeResults } from './forget-past.ts';

/** Removes a batch of a deleted monitor's rows. Resolves with whether there was anything to remove. */
export async function purgeDeleted(trx: Transaction<Tables>, now: number): Promise<boolean> {
  const next = await trx.selectFrom('purge').selectAll().limit(1).executeTakeFirst();
  if (!next) return false;
  const { monitor } = next;
  if (await removeRecent(trx, monitor)) return true;
  if (await removeResults(trx, monitor, Number.MAX_SAFE_INTEGER)) return true;
  if (await removePingsOf(trx, monitor)) return true;
  if (await removeChangesOf(trx, monitor)) return true;
  const hours = hoursBetween(Math.max(next.created_at, now - maxKeptMs), now);
  for (let at = 0; at < hours.length; at += maxPieceRows) {
    const some = hours.slice(at, at + maxPieceRows);
    await trx.deleteFrom('response_histogram').where('hour', 'in', some).where('monitor', '=', monitor).execute();
    await trx.deleteFrom('check_hour').where('hour', 'in', some).where('monitor', '=', monitor).execute();
  }
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('outage').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('purge').where('monitor', '=', monitor).execute();
  return true;
}

/**
 * Removes a batch of a deleted monitor's rows in `recent_result`, with their details. Resolves with whether it
 * removed any rows.
 */
async function removeRecent(trx: Transaction<Tables>, monitor: number): Promise<boolean> {
  const found = await trx
    .selectFrom('result_slot as slots')
    .crossJoin('recent_result as recent')
    .select(['recent.slot', 'recent.at'])
    .whereRef('recent.slot', '=', 'slots.slot')
    .where('recent.monitor', '=', monitor)
    .limit(maxPieceRows)
    .execute();
  if (found.length === 0) return false;
  const times = found.map(({ at }) => at);
  await trx.deleteFrom('result_detail').where('at', 'in', times).where('monitor', '=', monitor).execute();
  const slots = [...new Set(found.map(({ slot }) => slot))];
  await trx
    .deleteFrom('recent_result')
    .where('slot', 'in', slots)
    .where('monitor', '=', monitor)
    .where('at', 'in', times)
    .execute();
  return true;
}

/**
 * Removes a batch of a deleted heartbeat's pings with metrics. Pings without metrics are removed when they are old:
 * see `removePings`. Resolves with whether it removed any pings.
 */
async function removePingsOf(trx: Transaction<Tables>, monitor: number): Promise<boolean> {
  const some = await trx
    .selectFrom('ping')
    .select('id')
    .where('monitor', '=', monitor)
    .where('metrics', 'is not', null)
    .limit(maxPieceRows)
    .execute();
  if (some.length === 0) return false;
  const ids = some.map((ping) => ping.id);
  await trx.deleteFrom('ping').where('id', 'in', ids).execute();
  return true;
}

/** Removes a batch of a deleted monitor's changes of status. Resolves with whether it removed any rows. */
async function removeChangesOf(trx: Transaction<Tables>, monitor: number): Promise<boolean> {
  const some = await trx
    .selectFrom('status_change')
    .select('id')
    .where('monitor', '=', monitor)
    .limit(maxPieceRows)
    .execute();
  if (some.length === 0) return false;
  const ids = some.map((change) => change.id);
  await trx.deleteFrom('status_change').where('id', 'in', ids).execute();
  return true;
}
