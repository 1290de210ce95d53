import type { AlertRuleFields, Fault } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid } from '../../errors.ts';
import type { Project, Tables } from '../../store/tables.ts';

/** What a rule names, by seq, each once, in the order of its lists. */
export interface Members {
  monitors: number[];
  channels: number[];
}

/** Looks up what a rule names; throws `invalid_request` with every id that names nothing in this project. */
export async function findMembers(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id'>,
  { monitorIds, channelIds }: Pick<AlertRuleFields, 'monitorIds' | 'channelIds'>,
): Promise<Members> {
  const faults: Fault[] = [];
  const find = async (table: 'monitor' | 'channel', field: string, ids: readonly string[]) => {
    // PostgreSQL takes no NUL in a text, so that what can't be an id is never asked for.
    const asked = ids.filter((id) => /^\w{1,63}$/.test(id));
    const rows =
      asked.length === 0
        ? []
        : await trx
            .selectFrom(table)
            .select(['id', 'seq'])
            .where('project_id', '=', project.id)
            .where('id', 'in', asked)
            .execute();
    const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
    ids.forEach((id, index) => {
      if (!seqs.has(id))
        faults.push({ path: `${field}.${index}`, message: `names no ${table} of this project: ${id.slice(0, 63)}` });
    });
    return [...new Set(ids)].flatMap((id) => seqs.get(id) ?? []);
  };
  const monitors = await find('monitor', 'monitorIds', monitorIds);
  const channels = await find('channel', 'channelIds', channelIds);
  if (faults.length > 0) throw invalid(faults);
  return { monitors, channels };
}

/** Writes what a rule names in the place of what it named. */
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
