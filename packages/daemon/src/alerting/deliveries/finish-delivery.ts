import { channelTypeDefinitions } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { type Sent, surelyNotSent } from '../../channels/index.ts';
import {
  afterFailure,
  afterRateLimit,
  failureKind,
  type FailureKind,
  overtakenAfterFailures,
} from '../../core/backoff.ts';
import type { ChannelTable, DeliveryRow, Tables } from '../../store/tables.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { uncountMessage } from '../message-budget/message-counts.ts';
import { makeAlertDue, makeLaneDue, letPass } from './lane.ts';
import { reviveChannel } from './revive-channel.ts';
import { settleIncident } from './paging-incidents.ts';

/** How an attempt to send a claimed message ended. */
export interface Finished {
  claimed: ClaimedDelivery;
  sent: Sent;
  /** When the attempt began. */
  begunAt: number;
  at: number;
  /** How long the attempt took. */
  durationMs: number;
  random: number;
}

/**
 * Records how an attempt ended: in a row of `delivery_attempt`, and in the rows of the delivery, its alert and its
 * channel. If the message is finished, makes the next message of its lane due. If the message arrived, retries the
 * messages that failed while the channel did not work.
 */
export async function finishDelivery(trx: Transaction<Tables>, finished: Finished): Promise<void> {
  const { claimed, sent, begunAt, at } = finished;
  const kind = sent.ok ? 'sent' : failureKind(sent);
  await noteIncident(trx, claimed, kind, sent.status, at);
  if (surelyNotSent(sent) && claimed.counted !== null)
    await uncountMessage(trx, claimed.counted, { channel: claimed.to, now: at });
  const row = await trx.selectFrom('delivery').selectAll().where('seq', '=', claimed.seq).executeTakeFirst();
  // The row is missing if the message was deleted together with its project.
  if (!row) return;
  await logAttempt(trx, row.seq, { at: begunAt, durationMs: finished.durationMs, ...sent });
  // If the lease of this claim has ended, another daemon may have claimed the message. That daemon has finished the
  // message, or will decide about the next attempt.
  if (row.status !== 'pending' || (row.claim !== claimed.claim && !sent.ok)) return;

  // If the channel's config was changed during the attempt, the failure says nothing about the new config.
  const outdated = !sent.ok && (await hasOtherConfig(trx, claimed));
  const triedSince = outdated ? null : (row.tried_since ?? begunAt);
  const { nextAt, attempts, refusals } =
    kind === 'sent'
      ? { nextAt: null, attempts: row.attempts + 1, refusals: 0 }
      : triedSince === null
        ? { nextAt: at, attempts: 0, refusals: 0 }
        : afterFailure({ ...row, kind, now: at, triedSince, random: finished.random });
  const status = kind === 'sent' ? 'sent' : nextAt === null ? 'failed' : 'pending';
  await trx
    .updateTable('delivery')
    .set({
      status,
      attempts,
      refusals,
      tried_since: triedSince,
      tried_at: at,
      next_at: nextAt,
      lease_until: 0,
      finished_at: nextAt === null ? at : null,
    })
    .where('seq', '=', row.seq)
    .execute();
  await noteAtAlert(trx, row, { status, error: sent.ok ? null : sent.text, arrived: kind === 'sent' });
  if (kind === 'sent' && claimed.notice.ended) await dropEnds(trx, row.alert);
  const worksAgain = !outdated && (await noteAtChannel(trx, row.channel, { sent, kind, begunAt, at }));

  if (nextAt === null) {
    await makeAlertDue(trx, row, at);
    await makeLaneDue(trx, row.lane, at);
  } else if (kind === 'failed' && attempts >= overtakenAfterFailures && !keepsOrder(claimed))
    await letPass(trx, row, at);
  if (worksAgain) await reviveChannel(trx, row.channel, { at, fresh: false });
}

/**
 * Whether the channel is for programs, such as a webhook. Such a channel gets every event in order, so a later alert
 * may not overtake an earlier alert.
 */
const keepsOrder = ({ channel }: ClaimedDelivery): boolean =>
  channelTypeDefinitions[channel.type].lateAlarms === 'each';

const hasOtherConfig = async (trx: Transaction<Tables>, { to, channel }: ClaimedDelivery): Promise<boolean> => {
  const now = await trx.selectFrom('channel').select('config').where('seq', '=', to).executeTakeFirst();
  return now !== undefined && now.config !== channel.config;
};

/** Finishes a message without sending it, and records why. Makes the next message of its lane due. */
export async function giveUpDelivery(
  trx: Transaction<Tables>,
  row: DeliveryRow,
  { why, now }: { why: string; now: number },
): Promise<void> {
  await logAttempt(trx, row.seq, { at: now, durationMs: 0, status: null, text: why });
  await trx
    .updateTable('delivery')
    .set({ status: 'failed', next_at: null, lease_until: 0, finished_at: now })
    .where('seq', '=', row.seq)
    .execute();
  // Only an alarm that is given up changes the error of the alert. For other messages, an earlier error of the alarm
  // stays, because it is more useful.
  if (row.kind === 'alarm') await noteAtAlert(trx, row, { status: 'failed', error: why, arrived: false });
  await makeAlertDue(trx, row, now);
  await makeLaneDue(trx, row.lane, now);
}

const logAttempt = (
  trx: Transaction<Tables>,
  delivery: number,
  { at, durationMs, status, text }: { at: number; durationMs: number; status: number | null; text: string },
) =>
  trx
    .insertInto('delivery_attempt')
    .values({ delivery, at, duration_ms: Math.round(durationMs), status, text })
    // Two attempts can have the same time only if the clock was set back. Then only the first attempt is stored.
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Records whether an attempt opened or closed an incident at a paging service. A refused alarm opened no incident. An
 * alarm that got no answer, or the status code 5xx, may have opened an incident.
 */
async function noteIncident(
  trx: Transaction<Tables>,
  { alert, channel, notice }: ClaimedDelivery,
  kind: FailureKind | 'sent',
  status: number | null,
  now: number,
): Promise<void> {
  if (!channelTypeDefinitions[channel.type].keepsIncidents) return;
  const closing = notice.kind === 'recovery' || notice.kind === 'close';
  if (closing && kind !== 'sent') return;
  const answeredNo = kind !== 'sent' && status !== null && status < 500;
  const did = closing ? 'closed' : answeredNo ? 'nothing' : 'opened';
  await settleIncident(trx, { alert, config: channel.config, did, now });
}

async function noteAtAlert(
  trx: Transaction<Tables>,
  { alert, kind }: DeliveryRow,
  { status, error, arrived }: { status: DeliveryRow['status']; error: string | null; arrived: boolean },
): Promise<void> {
  const alarms = kind === 'alarm' || kind === 'reminder';
  let noted = trx.updateTable('alert').set({ error }).where('seq', '=', alert);
  // If the alarm did not arrive, the alert keeps its error even when the recovery arrives.
  if (arrived && !alarms) noted = noted.where('notified', '=', 1);
  await noted.execute();
  if (alarms && arrived) {
    await trx.updateTable('alert').set({ notified: 1, delivery_status: 'sent' }).where('seq', '=', alert).execute();
  } else if (alarms) {
    // If the alarm arrived, the status of the alert stays `sent`, even if a reminder fails.
    const notYet = trx.updateTable('alert').where('seq', '=', alert).where('notified', '=', 0);
    await notYet.set({ delivery_status: status }).execute();
  }
}

/**
 * Deletes the messages that waited behind the alarm of an alert. The alarm was sent so late that it also reported the
 * end of the outage. No attempt to send these messages was made yet.
 */
const dropEnds = (trx: Transaction<Tables>, alert: number) =>
  trx
    .deleteFrom('delivery')
    .where('alert', '=', alert)
    .where('kind', 'in', ['recovery', 'close', 'reminder'])
    .where('status', '=', 'pending')
    .execute();

/**
 * Records in the channel's row how an attempt ended. Resolves with true if the message arrived and the previous message
 * of the channel had failed.
 */
async function noteAtChannel(
  trx: Transaction<Tables>,
  seq: number,
  { sent, kind, begunAt, at }: { sent: Sent; kind: FailureKind | 'sent'; begunAt: number; at: number },
): Promise<boolean> {
  const channel = await trx
    .selectFrom('channel')
    .select(['last_error', 'wait_until', 'limits'])
    .where('seq', '=', seq)
    .executeTakeFirst();
  if (!channel) return false;
  const change: Partial<Pick<ChannelTable, 'last_sent_at' | 'last_error'>> & {
    wait_until?: number;
    limits?: number;
    held_why?: null;
  } = sent.ok ? { last_sent_at: at, last_error: null, limits: 0 } : { last_error: sent.text };
  if (!sent.ok && kind === 'rate_limited') {
    const before = { waitUntil: channel.wait_until, limits: channel.limits };
    const limit = afterRateLimit(before, { begunAt, now: at, retryAfterMs: sent.retryAfterMs });
    change.wait_until = limit.waitUntil;
    change.limits = limit.limits;
    if (limit.waitUntil > channel.wait_until) change.held_why = null;
  }
  await trx.updateTable('channel').set(change).where('seq', '=', seq).execute();
  return sent.ok && channel.last_error !== null;
}
