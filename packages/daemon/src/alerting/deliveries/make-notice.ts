import type { Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import type { MessageForm } from '../../core/message-form.ts';
import type { AlertRow, Tables } from '../../store/tables.ts';
import { shownAddress } from '../../stored-monitors/monitor-fields.ts';
import { storedFields } from '../../stored-monitors/stored-monitor.ts';
import { lastSeen } from '../last-seen.ts';
import { loadFacts } from '../load-facts.ts';
import { regionVerdicts } from '../region-verdicts.ts';

/**
 * Makes the content of a message from the facts at `now` (epoch milliseconds). The message has the present names and
 * address, and the present cause if the fault still exists. Facts about deleted objects and about ended faults come
 * from the stored notice `kept`.
 */
export async function makeNotice(
  trx: Transaction<Tables>,
  kept: Notice,
  { alert, form, now }: { alert: AlertRow; form: MessageForm; now: number },
): Promise<Notice> {
  const notice: Notice = { ...kept, ...(await names(trx, kept, alert)) };
  if (form === 'both') {
    const ended = { at: alert.resolved_at ?? now, reason: alert.end_reason ?? 'recovered' };
    return { ...notice, kind: 'alarm', at: alert.triggered_at, ended };
  }
  if (form === 'recovery' || form === 'close') return { ...notice, kind: form };
  // The kind comes from `form` and not from `kept`: if the alarm did not arrive, its reminder is sent as an alarm.
  if (alert.resolved_at !== null) return { ...notice, kind: form };
  const at = form === 'reminder' ? now : notice.at;
  return { ...notice, kind: form, at, ...(await presentCause(trx, kept, alert, now)) };
}

async function names(
  trx: Transaction<Tables>,
  kept: Notice,
  alert: AlertRow,
): Promise<Pick<Notice, 'rule' | 'monitor'>> {
  const monitor = await trx.selectFrom('monitor').selectAll().where('seq', '=', alert.monitor).executeTakeFirst();
  const rule = await trx.selectFrom('rule').select('name').where('seq', '=', alert.rule).executeTakeFirst();
  return {
    rule: rule?.name ?? kept.rule,
    monitor: monitor ? { id: monitor.id, name: monitor.name, url: shownAddress(storedFields(monitor)) } : kept.monitor,
  };
}

/** Resolves with the fields of a notice that describe the present cause of the fault. */
async function presentCause(
  trx: Transaction<Tables>,
  kept: Notice,
  alert: AlertRow,
  now: number,
): Promise<Pick<Notice, 'error' | 'details' | 'regions'>> {
  const known = await trx
    .selectFrom('monitor_state')
    .select('status')
    .where('monitor', '=', alert.monitor)
    .executeTakeFirst();
  if (!known) return { error: kept.error, details: kept.details };
  const { facts, error, seen: regions } = await loadFacts(trx, alert.monitor, { at: now, failed: false });
  if (alert.type !== 'monitor_down') {
    const fault = facts.expiry.find(({ trigger, subject }) => trigger === alert.type && subject === alert.subject);
    return { details: kept.details, error: fault ? { code: fault.trigger, message: fault.message } : kept.error };
  }
  if (facts.status !== 'down') return { error: kept.error, details: kept.details };
  const seen = await lastSeen(trx, alert.monitor, { until: now, failed: true });
  const verdicts = await regionVerdicts(trx, regions);
  return { error: error ?? kept.error, details: seen ?? kept.details, ...verdicts };
}
