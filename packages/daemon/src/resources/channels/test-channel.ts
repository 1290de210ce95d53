import { type Notice, nothingSeen } from '../../channels/notice.ts';
import { ServiceError } from '../../errors.ts';
import { reviveChannel } from '../../operations/alerts/revive-channel.ts';
import { newId } from '../../store/ids.ts';
import type { ChannelRow } from '../../store/tables.ts';
import type { Handler } from '../handler.ts';
import { findRow } from '../find-row.ts';

/** Sends a test message at once, without the outbox. Throws `delivery_failed` with the provider's answer. */
export const testChannel: Handler<'testChannel'> = async (request, { store, courier, deps, stopping }) => {
  const channel = await findRow(store.db, 'channel', request.project, request.params.channelId);
  const now = deps.clock.now();
  const sent = await courier.send(channel, newId('dlv', now), testNotice(channel, now), stopping);
  if (stopping.aborted) throw new ServiceError('unavailable', 'The daemon is stopping.', { retryAfter: 5 });
  const at = deps.clock.now();
  await store.write(async (trx) => {
    await trx
      .updateTable('channel')
      // An arrived test proves that a rate limit is over.
      .set(sent.ok ? { last_sent_at: at, last_error: null, wait_until: at, limits: 0 } : { last_error: sent.text })
      .where('seq', '=', channel.seq)
      .execute();
    if (sent.ok) await reviveChannel(trx, channel.seq, { at, fresh: false });
  });
  if (!sent.ok) throw new ServiceError('delivery_failed', sent.text);
  return { ok: true };
};

const testNotice = ({ name }: ChannelRow, now: number): Notice => ({
  kind: 'test',
  event: 'test',
  alert: newId('alr', now),
  rule: '',
  monitor: { id: '', name, type: 'http', url: '' },
  at: now,
  since: now,
  error: null,
  details: nothingSeen,
});
