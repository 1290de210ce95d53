import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Moves an open alert to another rule, or to another monitor of the same domain. Both are given by `seq`. Sends no
 * message. If the rule changes, the next reminder is due one interval of the new rule after `now` (epoch milliseconds).
 */
export async function moveAlert(
  trx: Transaction<Tables>,
  to: { alert: string; rule: number; monitor: number },
  now: number,
): Promise<void> {
  const rule = await trx.selectFrom('rule').selectAll().where('seq', '=', to.rule).executeTakeFirstOrThrow();
  const monitor = await trx
    .selectFrom('monitor')
    .select(['id', 'name'])
    .where('seq', '=', to.monitor)
    .executeTakeFirstOrThrow();
  const carrier = {
    rule: rule.seq,
    rule_id: rule.id,
    rule_name: rule.name,
    monitor: to.monitor,
    monitor_id: monitor.id,
    monitor_name: monitor.name,
  };
  const interval = rule.reminder_interval_seconds;
  await trx
    .updateTable('alert')
    .set((row) => ({
      ...carrier,
      remind_at: row
        .case()
        .when('rule', '=', rule.seq)
        .then(row.ref('remind_at'))
        .else(interval === null ? null : now + interval * 1000)
        .end(),
    }))
    .where('id', '=', to.alert)
    .execute();
}
