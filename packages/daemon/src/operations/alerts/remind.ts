import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import type { Tables } from '../../store/tables.ts';
import { maintenanceEnd } from '../maintenance-windows.ts';
import { enqueue } from './enqueue.ts';

/** Milliseconds after which it is looked again whether a maintenance window was ended early. */
const lookAgain = 60_000;

/**
 * Reminds of an alert that is open, one that is due, and sets when the next is: one reminder, however many intervals
 * have passed. None while its rule is disabled or a maintenance window is in force, and none about an alarm that has not
 * arrived or behind a reminder that waits. `now` in epoch milliseconds.
 */
export async function remind(trx: Transaction<Tables>, seq: number, now: number): Promise<void> {
  const alert = await trx
    .selectFrom('alert')
    .selectAll()
    .where('seq', '=', seq)
    .where('resolved_at', 'is', null)
    .where('remind_at', '<=', now)
    .executeTakeFirst();
  if (!alert) return;
  const rule = await trx
    .selectFrom('rule')
    .select(['enabled', 'reminder_interval'])
    .where('seq', '=', alert.rule)
    .executeTakeFirst();
  const remindAt = (at: number | null) =>
    trx.updateTable('alert').set({ remind_at: at }).where('seq', '=', seq).execute();
  if (!rule || rule.reminder_interval === null) {
    await remindAt(null);
    return;
  }
  const windowEnd = await maintenanceEnd(trx, alert.monitor, now);
  if (windowEnd !== null) {
    await remindAt(Math.min(windowEnd, now + lookAgain));
    return;
  }
  await remindAt(now + rule.reminder_interval * 1000);
  if (rule.enabled !== 1 || alert.delivery_status !== 'sent') return;

  const told = await trx
    .selectFrom('delivery')
    .select(['kind', 'status', 'notice'])
    .where('alert', '=', seq)
    .orderBy('seq')
    .execute();
  const alarm = told.find(({ kind }) => kind === 'alarm');
  if (!alarm || told.some(({ status }) => status === 'pending')) return;
  await enqueue(trx, alert, { ...(JSON.parse(alarm.notice) as Notice), kind: 'reminder', at: now }, now);
}
