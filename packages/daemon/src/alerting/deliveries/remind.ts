import { sql, type Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { remind } from '../../core/alerts.ts';
import type { AlertRow, Tables } from '../../store/tables.ts';
import { maintenanceEnd } from '../../stored-monitors/maintenance-windows.ts';
import { enqueue } from './enqueue.ts';
import { bringForward, laneOf } from './lane.ts';
import { loadFacts } from '../load-facts.ts';
import { watchingRules } from '../watching-rules.ts';

/** A reminder that is due during a maintenance window is tried again after this time. */
const lookAgainMs = 60_000;

/**
 * Queues the reminder of an open alert if one is due, and sets when the next reminder is due. If the alarm was given
 * up, the reminder is sent as an alarm. If the alarm still waits for its next attempt, that attempt is made now instead
 * of a reminder.
 */
export async function sendReminder(trx: Transaction<Tables>, seq: number, now: number): Promise<void> {
  const alert = await trx
    .selectFrom('alert')
    .selectAll()
    .where('seq', '=', seq)
    .where('resolved_at', 'is', null)
    .where('remind_at', '<=', now)
    .executeTakeFirst();
  if (!alert) return;
  const rule = (await watchingRules(trx, alert.monitor)).find((one) => one.rule === alert.rule);
  const interval = rule?.reminderIntervalMs ?? null;
  const maintenance = (await maintenanceEnd(trx, alert.monitor, now)) !== null;
  const next = rule && remind({ channel: alert.channel, remindAt: alert.remind_at }, rule, { at: now, maintenance });
  // The time of the next try if no reminder may be sent now.
  const later = interval === null ? null : now + (maintenance ? Math.min(lookAgainMs, interval) : interval);
  await trx
    .updateTable('alert')
    .set({ remind_at: next ?? later })
    .where('seq', '=', seq)
    .execute();
  if (!next) return;
  // If the monitor is up, it recovered during a maintenance window that has just ended. Its recovery will be sent now,
  // so no reminder is sent.
  if (alert.type === 'monitor_down' && (await isUp(trx, alert.monitor))) return;
  // If nothing is known yet about the certificate or domain of a new address, no reminder is sent. It would be about
  // the old address.
  if (alert.type !== 'monitor_down' && (await isUnseen(trx, alert, now))) return;

  const waiting = await trx
    .selectFrom('delivery')
    .select('seq')
    .where('lane', '=', laneOf(alert))
    .where('status', '=', sql.lit('pending'))
    .limit(1)
    .executeTakeFirst();
  if (waiting) {
    // The alarm did not arrive yet. It says the same as a reminder, so the next attempt to send it is made now.
    if (alert.notified === 0) await bringForward(trx, [laneOf(alert)], now);
    return;
  }
  // The reminder is made from the first alarm and not from the latest reminder, because a search for the latest
  // reminder might read many rows.
  const alarm = await trx
    .selectFrom('delivery')
    .select('notice')
    .where('alert', '=', seq)
    .where('kind', '=', 'alarm')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (!alarm) return;
  const notice = { ...(JSON.parse(alarm.notice) as Notice), kind: 'reminder' as const, at: now };
  await enqueue(trx, [{ alert, notice }], now);
}

const isUnseen = async (trx: Transaction<Tables>, { monitor, type }: AlertRow, now: number): Promise<boolean> =>
  (await loadFacts(trx, monitor, { at: now, failed: false })).facts.unseen?.includes(type) ?? false;

const isUp = async (trx: Transaction<Tables>, monitor: number): Promise<boolean> =>
  (await trx.selectFrom('monitor_state').select('status').where('monitor', '=', monitor).executeTakeFirst())?.status ===
  'up';
