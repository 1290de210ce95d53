import { channelTypeDefinitions } from '@uptime/sdk/contract';
import { type Notice, nothingSeen } from '../../channels/notice.ts';
import { ServiceError } from '../../errors.ts';
import { surelyNotSent } from '../../channels/index.ts';
import { unconfirmedReason } from '../../alerting/confirmations/unconfirmed.ts';
import { type CountedMessage, countMessage, uncountMessage } from '../../alerting/message-budget/message-counts.ts';
import { limitName, minuteOf, usedOfLimit } from '../../alerting/message-budget/message-limits.ts';
import { reviveChannel } from '../../alerting/deliveries/revive-channel.ts';
import { newId } from '../../store/ids.ts';
import type { ChannelRow, Project } from '../../store/tables.ts';
import type { Backend, Handler } from '../handler.ts';
import { findRow } from '../find-row.ts';

/** Sends a test message at once, without the outbox. If this fails, throws `delivery_failed` with the reason. */
export const testChannel: Handler<'testChannel'> = async (request, backend) => {
  const { store, notifier, deps, stopping } = backend;
  const channel = await findRow(store.db, 'channel', request.project, request.params.channelId);
  const now = deps.clock.now();
  const counted = await admitTest(channel, request.project, backend, now);
  const sent = await notifier.send(channel, newId('dlv', now), testNotice(channel, now), stopping);
  if (stopping.aborted) throw new ServiceError('unavailable', 'The daemon is stopping.', { retryAfterSeconds: 5 });
  const at = deps.clock.now();
  await store.write(async (trx) => {
    await trx
      .updateTable('channel')
      // A test that arrives proves that the provider's rate limit is over.
      .set(sent.ok ? { last_sent_at: at, last_error: null, wait_until: at, limits: 0 } : { last_error: sent.text })
      .where('seq', '=', channel.seq)
      .execute();
    if (surelyNotSent(sent) && counted !== null) await uncountMessage(trx, counted, { channel: channel.seq, now: at });
    if (sent.ok) await reviveChannel(trx, channel.seq, { at, fresh: false });
  });
  if (!sent.ok) throw new ServiceError('delivery_failed', sent.text);
  return { ok: true };
};

/**
 * Counts a test message against the limits if it uses a gateway of the operator. Throws if the address is not
 * confirmed, or if a limit is reached.
 */
async function admitTest(
  channel: ChannelRow,
  project: Project,
  { store, messageRules }: Backend,
  now: number,
): Promise<CountedMessage | null> {
  const { gateway } = channelTypeDefinitions[channel.type];
  if (!gateway) return null;
  const why = unconfirmedReason(channel, messageRules);
  if (why !== null) throw new ServiceError('conflict', why);
  const sender = { channel: channel.id, project: project.id, account: project.user_id };
  const message = { kind: gateway.kind, purpose: 'requested', sender, now } as const;
  const count = await store.write((trx) => countMessage(trx, messageRules.limits, message));
  if (count.ok) return count.counted;
  const limit = limitName(count.by, gateway.kind);
  throw new ServiceError(
    'rate_limited',
    `Not sent, because ${limit} leaves room for alarms only (${usedOfLimit(count.by, now)} are used). Try again after ${minuteOf(count.until)}.`,
    { retryAfterSeconds: Math.ceil((count.until - now) / 1000) },
  );
}

const testNotice = ({ name }: ChannelRow, now: number): Notice => ({
  kind: 'test',
  event: 'test',
  alert: newId('alr', now),
  rule: '',
  monitor: { id: '', name, url: '' },
  at: now,
  since: now,
  error: null,
  details: nothingSeen,
});
