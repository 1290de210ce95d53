import { type AlertRuleFields, maxAlertsPerMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid, ServiceError } from '../../errors.ts';
import type { Project, Tables } from '../../store/tables.ts';
import { nextTurn } from '../../wait.ts';
import { findByIds } from '../find-by-ids.ts';

/** The monitors and channels of a rule as numbers (`seq`), without duplicates, in the order of the rule's lists. */
export interface Members {
  monitors: number[];
  channels: number[];
}

/**
 * Finds the monitors and channels of a rule by their ids. Throws `invalid_request` with every id that is not in this
 * project.
 */
export async function findMembers(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  { monitorIds, channelIds }: Pick<AlertRuleFields, 'monitorIds' | 'channelIds'>,
): Promise<Members> {
  const monitors = await findByIds(trx, 'monitor', project, monitorIds);
  const channels = await findByIds(trx, 'channel', project, channelIds);
  const faults = [...monitors.faults, ...channels.faults];
  if (faults.length > 0) throw invalid(faults);
  return { monitors: monitors.rows.map(({ seq }) => seq), channels: channels.rows.map(({ seq }) => seq) };
}

/** Replaces the monitors and channels of a rule. */
export async function setMembers(
  trx: Transaction<Tables>,
  rule: number,
  { monitors, channels }: Members,
): Promise<void> {
  await trx.deleteFrom('rule_monitor').where('rule', '=', rule).execute();
  await trx.deleteFrom('rule_channel').where('rule', '=', rule).execute();
  if (monitors.length > 0)
    await trx
      .insertInto('rule_monitor')
      .values(monitors.map((monitor, position) => ({ rule, monitor, position })))
      .execute();
  if (channels.length > 0)
    await trx
      .insertInto('rule_channel')
      .values(channels.map((channel, position) => ({ rule, channel, position })))
      .execute();
}

/**
 * Number of monitors whose alerts are counted in one turn of the event loop. Each monitor may have hundreds of rules,
 * so more monitors would block the loop.
 */
const maxCountedAtOnce = 100;

/**
 * Throws `conflict` if an outage of one of these monitors would open more alerts than are allowed. Call it after the
 * monitors and channels of the rule are stored.
 */
export async function refuseTooManyAlerts(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  monitors: readonly number[],
): Promise<void> {
  for (let at = 0; at < monitors.length; at += maxCountedAtOnce) {
    if (at > 0) await nextTurn();
    const found = await monitorWithTooManyAlerts(trx, project, monitors.slice(at, at + maxCountedAtOnce));
    if (!found) continue;
    throw new ServiceError(
      'conflict',
      `An outage of the monitor "${found.name}" would open ${found.alerts} alerts, one for each rule and channel. At most ${maxAlertsPerMonitor} are allowed: remove a channel from a rule, or remove the monitor from a rule.`,
    );
  }
}

const monitorWithTooManyAlerts = (
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  monitors: readonly number[],
): Promise<{ name: string; alerts: number | string } | undefined> =>
  trx
    .with('counts', (db) =>
      db
        .selectFrom('rule')
        .innerJoin('rule_channel', 'rule_channel.rule', 'rule.seq')
        .where('rule.project_id', '=', project.id)
        .groupBy('rule.seq')
        .select(['rule.seq as rule', (of) => of.fn.countAll<number>().as('channels')]),
    )
    .selectFrom('rule_monitor')
    .innerJoin('counts', 'counts.rule', 'rule_monitor.rule')
    .innerJoin('monitor', 'monitor.seq', 'rule_monitor.monitor')
    .where('rule_monitor.monitor', 'in', monitors)
    .groupBy(['monitor.seq', 'monitor.name'])
    .select(['monitor.name', (of) => of.fn.sum<number | string>('counts.channels').as('alerts')])
    .having((of) => of.fn.sum('counts.channels'), '>', maxAlertsPerMonitor)
    .limit(1)
    .executeTakeFirst();
