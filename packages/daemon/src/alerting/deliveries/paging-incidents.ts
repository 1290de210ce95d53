import { sql, type Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { newId } from '../../store/ids.ts';
import type { Store } from '../../store/store.ts';
import type { ChannelRow, PagingIncidentRow, Tables } from '../../store/tables.ts';

/**
 * Whether an alert may have an open incident at a paging service. `config` is the encrypted config of the channel. This
 * config identifies the account at the paging service.
 */
export async function hasIncident(trx: Transaction<Tables>, alert: number, config: string): Promise<boolean> {
  const found = await trx
    .selectFrom('paging_incident')
    .select('seq')
    .where('alert', '=', alert)
    .where('config', '=', config)
    .executeTakeFirst();
  return found !== undefined;
}

interface Expected {
  /** The alert's `seq`. */
  alert: number;
  channel: Pick<ChannelRow, 'id' | 'type' | 'config'>;
  notice: Notice;
  now: number;
  /**
   * The alarm may still be on its way until this time, in epoch milliseconds. The incident is not closed before that
   * time.
   */
  until: number;
}

/** Records, before an alarm is sent, that the alarm may open an incident. */
export async function expectIncident(
  trx: Transaction<Tables>,
  { alert, channel, notice, now, until }: Expected,
): Promise<void> {
  const known = await trx
    .updateTable('paging_incident')
    // An earlier attempt may already have opened the incident. So even if this attempt is refused, there may be an
    // incident.
    .set({ next_at: until, certain: 1 })
    .where('alert', '=', alert)
    .where('config', '=', channel.config)
    .returning('seq')
    .executeTakeFirst();
  if (known) return;
  await trx
    .insertInto('paging_incident')
    .values({
      id: newId('dlv', now),
      alert,
      channel_id: channel.id,
      type: channel.type,
      config: channel.config,
      notice: JSON.stringify(notice),
      next_at: until,
    })
    .execute();
}

/** Records whether an attempt opened or closed the incident of an alert at the paging service. */
export async function settleIncident(
  trx: Transaction<Tables>,
  { alert, config, did, now }: { alert: number; config: string; did: 'opened' | 'nothing' | 'closed'; now: number },
): Promise<void> {
  const those = trx.updateTable('paging_incident').where('alert', '=', alert).where('config', '=', config);
  if (did !== 'closed') await those.set({ next_at: now, ...(did === 'opened' && { certain: 1 }) }).execute();
  if (did === 'opened') return;
  let gone = trx.deleteFrom('paging_incident').where('alert', '=', alert).where('config', '=', config);
  if (did === 'nothing') gone = gone.where('certain', '=', 0);
  await gone.execute();
}

/**
 * Claims, until `leaseUntil`, the incidents that no message in the outbox will close: their alert or channel was
 * deleted, or the alert is resolved and the channel got another config.
 */
export const claimOrphans = (
  store: Store,
  { now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number },
): Promise<PagingIncidentRow[]> =>
  store.write(async (trx) => {
    const orphans = await trx
      .selectFrom('paging_incident')
      .selectAll('paging_incident')
      .leftJoin('alert', 'alert.seq', 'paging_incident.alert')
      .leftJoin('channel', 'channel.id', 'paging_incident.channel_id')
      .where('paging_incident.next_at', '<=', now)
      .where((row) =>
        row.or([
          row('alert.seq', 'is', null),
          row('channel.seq', 'is', null),
          row.and([
            row('alert.resolved_at', 'is not', null),
            row('channel.config', '!=', row.ref('paging_incident.config')),
          ]),
        ]),
      )
      .orderBy('paging_incident.next_at')
      .limit(limit)
      .modifyEnd(store.dialect.skipLocked('paging_incident'))
      .execute();
    if (orphans.length > 0) {
      const seqs = orphans.map(({ seq }) => seq);
      await trx.updateTable('paging_incident').set({ next_at: leaseUntil }).where('seq', 'in', seqs).execute();
    }
    return orphans;
  });

/**
 * Whether any incident may have to be closed now. If not, the caller need not run `claimOrphans`, whose queries cost
 * more.
 */
export const anyIncident = async (store: Store, now: number): Promise<boolean> =>
  (await store.db
    .selectFrom('paging_incident')
    .select(sql<number>`1`.as('one'))
    .where('next_at', '<=', now)
    .limit(1)
    .executeTakeFirst()) !== undefined;
