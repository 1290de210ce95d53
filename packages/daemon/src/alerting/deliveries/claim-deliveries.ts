import { channelTypeDefinitions } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import type { Notice } from '../../channels/notice.ts';
import { messageForm, type Unsent } from '../../core/message-form.ts';
import type { Store } from '../../store/store.ts';
import type { AlertRow, ChannelRow, DeliveryRow, Tables } from '../../store/tables.ts';
import { maintenanceEnd } from '../../stored-monitors/maintenance-windows.ts';
import type { CountedMessage } from '../message-budget/message-counts.ts';
import { type MessageRules, noMessageRules } from '../message-rules.ts';
import { type AdmitAnswer, admitMessage } from './admit-message.ts';
import { giveUpDelivery } from './finish-delivery.ts';
import { stillClaimed, type DeliveryClaim } from './still-claimed.ts';
import { makeAlertDue, makeLaneDue } from './lane.ts';
import { makeNotice } from './make-notice.ts';
import { expectIncident, hasIncident } from './paging-incidents.ts';

/** A message that only this process may send until the lease of its claim ends. */
export interface ClaimedDelivery extends Pick<DeliveryRow, 'seq' | 'id' | 'alert' | 'claim'> {
  /** The channel's `seq`. */
  to: number;
  channel: Pick<ChannelRow, 'id' | 'type' | 'config'>;
  notice: Notice;
  /** The limits against which this message was counted; null if it was not counted. */
  counted: CountedMessage | null;
}

interface Claim {
  now: number;
  leaseUntil: number;
  /** Default: no limits. */
  rules?: MessageRules;
  /** Called after the commit, for each channel that a limit begins to delay. */
  onDelayed?: (delayed: DelayedChannel) => void;
}

/** A channel whose messages have begun to wait because of a limit. */
export interface DelayedChannel {
  channel: string;
  project: string;
  why: string;
}

/**
 * Claims the due messages among `wanted` (given by `seq`) until `leaseUntil`. Resolves with the claimed messages, each
 * with a notice that is made from the present facts. A maintenance window postpones messages. A message is given up if
 * its channel was deleted, or if `messageForm` or `admitMessage` decides so. The claims are synced to disk.
 */
export async function claimDeliveries(
  store: Store,
  wanted: readonly number[],
  claim: Claim,
): Promise<ClaimedDelivery[]> {
  if (wanted.length === 0) return [];
  const { claimed, delayed } = await store.write(async (trx) => {
    const due = await trx
      .selectFrom('delivery')
      .selectAll()
      .where('seq', 'in', wanted)
      .where('status', '=', sql.lit('pending'))
      .where('next_at', '<=', claim.now)
      .orderBy('next_at')
      .modifyEnd(store.dialect.skipLocked('delivery'))
      .execute();
    const claimed: ClaimedDelivery[] = [];
    const delayed: DelayedChannel[] = [];
    for (const delivery of due) {
      const one = await claimOne(trx, delivery, { ...claim, onDelayed: (channel) => delayed.push(channel) });
      if (one) claimed.push(one);
    }
    if (claimed.length > 0) {
      const seqs = claimed.map(({ seq }) => seq);
      await trx
        .updateTable('delivery')
        .set((set) => ({
          next_at: claim.leaseUntil,
          lease_until: claim.leaseUntil,
          claim: set('claim', '+', 1),
        }))
        .where('seq', 'in', seqs)
        .execute();
    }
    return { claimed, delayed };
  });
  if (claim.onDelayed) delayed.forEach(claim.onDelayed);
  return claimed;
}

async function claimOne(
  trx: Transaction<Tables>,
  delivery: DeliveryRow,
  { now, leaseUntil, rules = noMessageRules, onDelayed }: Claim,
): Promise<ClaimedDelivery | null> {
  const { seq, id, channel: to, kind } = delivery;
  const alert = await trx.selectFrom('alert').selectAll().where('seq', '=', delivery.alert).executeTakeFirstOrThrow();
  const channel = await trx
    .selectFrom('channel')
    .select(['id', 'type', 'config', 'project_id', 'confirmed_at', 'held_why', 'wait_until'])
    .where('seq', '=', to)
    .executeTakeFirst();
  if (!channel) {
    await giveUpDelivery(trx, delivery, { why: 'The channel was deleted.', now });
    return null;
  }
  const { keepsIncidents, lateAlarms } = channelTypeDefinitions[channel.type];
  const incident = keepsIncidents ? await hasIncident(trx, alert.seq, channel.config) : null;
  const found = messageForm(
    { kind, over: alert.resolved_at !== null, notified: alert.notified === 1, incident },
    lateAlarms,
  );
  if ('unsent' in found) {
    await finishUnsent(trx, delivery, found.unsent, now);
    return null;
  }
  const until = await maintenanceEnd(trx, alert.monitor, now);
  if (until !== null) {
    await trx.updateTable('delivery').set({ next_at: until }).where('seq', '=', seq).execute();
    return null;
  }
  if (alert.resolved_at === null && (await awaitsReview(trx, alert))) {
    await trx
      .updateTable('delivery')
      .set({ next_at: now + reviewWaitMs })
      .where('seq', '=', seq)
      .execute();
    return null;
  }
  const admitted: AdmitAnswer = await admitMessage(trx, rules, { delivery, channel, form: found.form, now });
  if (!admitted.ok) {
    if (admitted.delayed !== null) onDelayed?.(admitted.delayed);
    return null;
  }
  const made = await makeNotice(trx, JSON.parse(delivery.notice) as Notice, { alert, form: found.form, now });
  const notice = admitted.limited === null ? made : { ...made, limited: admitted.limited };
  if (keepsIncidents && (found.form === 'alarm' || found.form === 'reminder'))
    await expectIncident(trx, { alert: alert.seq, channel, notice, now, until: leaseUntil });
  // `claimDeliveries` stores this number together with the lease.
  const claimNumber = delivery.claim + 1;
  return { seq, id, claim: claimNumber, alert: alert.seq, to, channel, notice, counted: admitted.counted };
}

/** A message that waits for the review of its alert (see review-alerts.ts) is due again after this time. */
const reviewWaitMs = 250;

/**
 * Whether the outage of an open alert is over, so that a review will soon resolve the alert. This happens just after a
 * maintenance window, or while many alerts are resolved. An alarm must wait for that review. Otherwise it would report
 * an outage that is already over.
 */
async function awaitsReview(trx: Transaction<Tables>, { type, monitor }: AlertRow): Promise<boolean> {
  if (type !== 'monitor_down') return false;
  const state = await trx
    .selectFrom('monitor_state')
    .select('status')
    .where('monitor', '=', monitor)
    .executeTakeFirst();
  return state !== undefined && state.status !== 'down';
}

const reasons: Record<Exclude<Unsent, 'moot'>, string> = {
  over: 'Not sent, because the outage ended before this message could be sent.',
  alarmMissing: 'Not sent, because the alarm of this outage did not arrive.',
};

async function finishUnsent(
  trx: Transaction<Tables>,
  delivery: DeliveryRow,
  unsent: Unsent,
  now: number,
): Promise<void> {
  if (unsent !== 'moot') return giveUpDelivery(trx, delivery, { why: reasons[unsent], now });
  await trx.deleteFrom('delivery').where('seq', '=', delivery.seq).execute();
  await makeAlertDue(trx, delivery, now);
  await makeLaneDue(trx, delivery.lane, now);
}

/**
 * Releases claims, so that their messages are due again. Skips finished messages, and messages that another process has
 * claimed in the meantime.
 */
export async function releaseClaims(store: Store, claimed: readonly DeliveryClaim[], now: number): Promise<void> {
  if (claimed.length === 0) return;
  await store.write((trx) =>
    stillClaimed(store, trx, claimed)
      .set({ next_at: now, lease_until: 0 })
      .where('status', '=', sql.lit('pending'))
      .execute(),
  );
}

/**
 * On SQLite, releases all claims. Call it when a daemon starts: only one process can use a SQLite database, so the
 * process that claimed these messages has ended. Does nothing on PostgreSQL.
 */
export async function releaseAllClaims(store: Store, now: number): Promise<void> {
  if (!store.dialect.exclusive) return;
  await store.write((trx) =>
    trx
      .updateTable('delivery')
      .set({ next_at: now, lease_until: 0 })
      .where('status', '=', sql.lit('pending'))
      .where('next_at', 'is not', null)
      .where('lease_until', '>', 0)
      .execute(),
  );
}
