import type { AlertRuleFields } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid } from '../../errors.ts';
import type { Project, Tables } from '../../store/tables.ts';
import { findByIds } from '../find-by-ids.ts';

/** The members of a rule by seq, without duplicates, in the order of its lists. */
export interface Members {
  monitors: number[];
  channels: number[];
}

/** Looks up the members of a rule. Throws `invalid_request` with every id that is not in this project. */
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

/** Replaces the members of a rule. */
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
