import type { Transaction } from 'kysely';
import type { WatchingRule } from '../core/alerts.ts';
import type { Tables } from '../store/tables.ts';

/** A rule that watches a monitor, with the fields that its alerts need. */
export interface Watching extends WatchingRule {
  id: string;
  name: string;
  notifyOnRecovery: boolean;
}

/**
 * Resolves with the rules that watch a monitor, enabled or not, in order of creation. The channels of a rule are in the
 * order in which the rule lists them.
 */
export async function watchingRules(trx: Transaction<Tables>, monitor: number): Promise<Watching[]> {
  const rows = await trx
    .selectFrom('rule_monitor')
    .innerJoin('rule', 'rule.seq', 'rule_monitor.rule')
    .leftJoin('rule_channel', 'rule_channel.rule', 'rule.seq')
    .selectAll('rule')
    .select('rule_channel.channel')
    .where('rule_monitor.monitor', '=', monitor)
    .orderBy('rule.seq')
    .orderBy('rule_channel.position')
    .execute();
  const rules = new Map<number, Watching & { channels: number[] }>();
  for (const row of rows) {
    const rule = rules.get(row.seq) ?? {
      rule: row.seq,
      id: row.id,
      name: row.name,
      trigger: row.trigger,
      consecutiveFailures: row.consecutive_failures,
      enabled: row.enabled === 1,
      expiryAlerts: row.expiry_alerts === 1,
      notifyOnRecovery: row.notify_on_recovery === 1,
      reminderIntervalMs: row.reminder_interval_seconds === null ? null : row.reminder_interval_seconds * 1000,
      channels: [],
    };
    if (row.channel !== null) rule.channels.push(row.channel);
    rules.set(row.seq, rule);
  }
  return [...rules.values()];
}
