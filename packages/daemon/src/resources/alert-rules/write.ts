import { type AlertRuleFields, alertRulePatch, validateAlertRule } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid } from '../../errors.ts';
import { storedSize } from '../../core/stored-size.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { lockMonitors } from '../../stored-monitors/lock-monitor.ts';
import { newId } from '../../store/ids.ts';
import type { Tables } from '../../store/tables.ts';
import type { Handler, OwnValidation } from '../handler.ts';
import { lockProject } from '../lock-project.ts';
import { mergePatch } from '../merge-patch.ts';
import { withoutReadOnly } from '../sent-back.ts';
import { refuseTakenKey } from '../taken-key.ts';
import { findMembers, type Members, refuseTooManyAlerts, setMembers } from './members.ts';
import { findRow } from '../find-row.ts';
import { renderRules } from './read.ts';
import { reviewRule } from './review-rule.ts';

export const createAlertRule: OwnValidation<'createAlertRule'> = {
  validatesBody: true,
  handle: async (request, { deps, plans }) => {
    const fields = checked(request.body);
    return request.create(fields, async (trx) => {
      await lockProject(trx, request.project);
      await refuseTakenKey(trx, 'rule', request.project, { key: fields.key, self: null });
      const members = await findMembers(trx, request.project, fields);
      const bytes = sizeOf(fields, members);
      await refuseGrowth(trx, request.project, plans, { alertRules: 1, bytes });
      await lockMonitors(trx, members.monitors);
      const now = deps.clock.now();
      const row = await trx
        .insertInto('rule')
        .values({
          id: newId('rul', now),
          project_id: request.project.id,
          ...columns(fields),
          bytes,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await setMembers(trx, row.seq, members);
      await refuseTooManyAlerts(trx, request.project, members.monitors);
      await reviewRule(trx, { rule: row.seq, trigger: fields.trigger, monitors: members.monitors, now });
      return (await renderRules(trx, [row]))[0]!;
    });
  },
};

export const updateAlertRule: OwnValidation<'updateAlertRule'> = {
  validatesBody: true,
  handle: (request, { store, deps, plans }) =>
    store.write(async (trx) => {
      await lockProject(trx, request.project);
      const row = await findRow(trx, 'rule', request.project, request.params.ruleId);
      const shown = (await renderRules(trx, [row]))[0]!;
      const { id, createdAt, updatedAt, ...before } = shown;
      const patch = await withoutReadOnly(request.body, alertRulePatch, () => shown);
      const fields = checked(mergePatch(before, patch, {}));
      const members = await findMembers(trx, request.project, fields);
      const after = {
        ...fields,
        monitorIds: [...new Set(fields.monitorIds)],
        channelIds: [...new Set(fields.channelIds)],
      };
      // If the patch changes nothing, nothing is written, so that `updatedAt` stays the same.
      if (JSON.stringify(after) === JSON.stringify(before)) return { id, ...before, createdAt, updatedAt };
      await refuseTakenKey(trx, 'rule', request.project, { key: after.key, self: row.seq });
      const bytes = sizeOf(after, members);
      await refuseGrowth(trx, request.project, plans, { bytes: bytes - row.bytes });
      const now = deps.clock.now();
      const monitors = [...new Set([...(await watchedBy(trx, row.seq)), ...members.monitors])];
      await lockMonitors(trx, monitors);
      const changed = await trx
        .updateTable('rule')
        .set({ ...columns(after), bytes, updated_at: now })
        .where('seq', '=', row.seq)
        .returningAll()
        .executeTakeFirstOrThrow();
      await setMembers(trx, row.seq, members);
      await refuseTooManyAlerts(trx, request.project, members.monitors);
      if (after.reminderInterval !== before.reminderInterval)
        await rearmReminders(trx, row.seq, after.reminderInterval, now);
      await reviewRule(trx, { rule: row.seq, trigger: after.trigger, monitors, now });
      return (await renderRules(trx, [changed]))[0]!;
    }),
};

export const deleteAlertRule: Handler<'deleteAlertRule'> = (request, { store, deps }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const { seq } = await findRow(trx, 'rule', request.project, request.params.ruleId);
    const monitors = await watchedBy(trx, seq);
    await lockMonitors(trx, monitors);
    await trx.deleteFrom('rule').where('seq', '=', seq).execute();
    await reviewRule(trx, { rule: seq, trigger: null, monitors, now: deps.clock.now() });
  });

function checked(input: unknown): AlertRuleFields {
  const parsed = validateAlertRule(input);
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.value;
}

const columns = (fields: AlertRuleFields) => ({
  key: fields.key,
  managed_by: fields.managedBy,
  name: fields.name,
  trigger: fields.trigger,
  consecutive_failures: fields.consecutiveFailures,
  notify_on_recovery: Number(fields.notifyOnRecovery),
  reminder_interval_seconds: fields.reminderInterval,
  expiry_alerts: Number(fields.expiryAlerts),
  enabled: Number(fields.enabled),
});

const sizeOf = (fields: AlertRuleFields, { monitors, channels }: Members): number =>
  storedSize(columns(fields), monitors.length + channels.length);

async function watchedBy(trx: Transaction<Tables>, rule: number): Promise<number[]> {
  const rows = await trx.selectFrom('rule_monitor').select('monitor').where('rule', '=', rule).execute();
  return rows.map(({ monitor }) => monitor);
}

/**
 * Sets when the next reminders of a rule's open alerts are due: one new interval from now. Alerts to deleted channels
 * get no reminders.
 */
async function rearmReminders(
  trx: Transaction<Tables>,
  rule: number,
  intervalSeconds: number | null,
  now: number,
): Promise<void> {
  await trx
    .updateTable('alert')
    .set({ remind_at: intervalSeconds === null ? null : now + intervalSeconds * 1000 })
    .where('rule', '=', rule)
    .where('resolved_at', 'is', null)
    .where('channel', 'in', (channels) => channels.selectFrom('channel').select('seq'))
    .execute();
}
