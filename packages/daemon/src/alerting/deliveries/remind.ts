import { sql, type Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { remind } from '../../core/alerts.ts';
import type { AlertRow, Tables } from '../../store/tables.ts';
import { maintenanceEnd } from '../../stored-monitors/maintenance-windows.ts';
import { enqueue } from './enqueue.ts';
import { bringForward, laneOf } from './lane.ts';
import { loadFacts } from '../load-facts.ts';
import { watchingRules } from '../watching-rules.ts';

/** How long to wait before checking again whether a maintenance window has ended. */
const lookAgainMs = 60_000;

/**
 * Sends a reminder of an open alert if it is due, and sets when the next reminder is due. If the alarm was given up,
 * the reminder replaces it. If the alarm still waits, it is retried now. `now` in epoch milliseconds.
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
  // If no reminder may be sent now, the next try is later.
  const later = interval === null ? null : now + (maintenance ? Math.min(lookAgainMs, interval) : interval);
  await trx
    .updateTable('alert')
    .set({ remind_at: next ?? later })
    .where('seq', '=', seq)
    .execute();
  if (!next) return;
  // A window has just ended, and the recovery that it held back will be sent. So no reminder is sent.
  if (alert.type === 'monitor_down' && (await isUp(trx, alert.monitor))) return;
  // The new address has not been checked yet, so no reminder about the old one is sent.
  if (alert.type !== 'monitor_down' && (await isUnseen(trx, alert, now))) return;

  const waiting = await trx
    .selectFrom('delivery')
    .select('seq')
    .where('lane', '=', laneOf(alert))
    .where('status', '=', sql.lit('pending'))
    .limit(1)
    .executeTakeFirst();
  if (waiting) {
    // An undelivered alarm is retried now, because it says the same as the reminder.
    if (alert.notified === 0) await bringForward(trx, [laneOf(alert)], now);
    return;
  }
  // A reminder repeats the content of the first alarm. Earlier reminders are not read, because there may be many.
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
