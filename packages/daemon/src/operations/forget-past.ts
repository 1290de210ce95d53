import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Rows removed in one transaction: short enough that a ping waiting for the writer does not notice. */
const piece = 1000;

/** What lies before these is forgotten: epoch milliseconds for rows of one moment, period numbers for rollups. */
export interface Horizons {
  raw: number;
  timings: number;
  histogram: number;
  hours: number;
  checkHours: number;
  days: number;
}

/** Removes one piece of what is past its time for a monitor. Answers whether there is more. */
export async function forgetPast(trx: Transaction<Tables>, monitor: number, before: Horizons): Promise<boolean> {
  let more = false;
  for (const table of ['result', 'result_detail', 'ping'] as const) {
    more = (await removeBefore(trx, table, monitor, before.raw)) || more;
  }
  await trx
    .deleteFrom('result_detail')
    .where('monitor', '=', monitor)
    .where('at', '<', before.timings)
    .where('error_message', 'is', null)
    .execute();
  await trx
    .deleteFrom('response_histogram')
    .where('monitor', '=', monitor)
    .where('hour', '<', before.histogram)
    .execute();
  await trx.deleteFrom('check_hour').where('monitor', '=', monitor).where('hour', '<', before.checkHours).execute();
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).where('period', '<', before.hours).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).where('period', '<', before.days).execute();
  return more;
}

/** Removes one piece of the past of a deleted monitor. Answers whether there was one. */
export async function purgeDeleted(trx: Transaction<Tables>): Promise<boolean> {
  const next = await trx.selectFrom('purge').select('monitor').limit(1).executeTakeFirst();
  if (!next) return false;
  const { monitor } = next;
  for (const table of ['result', 'result_detail', 'ping'] as const) {
    if (await removeBefore(trx, table, monitor, Number.MAX_SAFE_INTEGER)) return true;
  }
  await trx.deleteFrom('response_histogram').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('check_hour').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('observed_hour').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('observed_day').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('status_change').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('episode').where('monitor', '=', monitor).execute();
  await trx.deleteFrom('purge').where('monitor', '=', monitor).execute();
  return true;
}

/** Removes the oldest rows before an instant, one piece of them. Answers whether there may be more. */
async function removeBefore(
  trx: Transaction<Tables>,
  table: 'result' | 'result_detail' | 'ping',
  monitor: number,
  before: number,
): Promise<boolean> {
  const last = await trx
    .selectFrom(table)
    .select('at')
    .where('monitor', '=', monitor)
    .where('at', '<', before)
    .orderBy('at')
    .offset(piece)
    .limit(1)
    .executeTakeFirst();
  await trx
    .deleteFrom(table)
    .where('monitor', '=', monitor)
    .where('at', '<', last ? last.at : before)
    .execute();
  return last !== undefined;
}
