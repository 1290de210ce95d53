import { createHash } from 'node:crypto';
import { configDigestText } from '@uptime/sdk/contract';
import { needsConfirmation } from '../../alerting/confirmations/unconfirmed.ts';
import { unreadable } from '../../alerting/notifier.ts';
import type { ChannelRow } from '../../store/tables.ts';
import type { AnswerOf, Backend, Handler } from '../handler.ts';
import { inPieces } from '../in-pieces.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { listRows } from '../list-rows.ts';
import { maskConfig } from './mask.ts';

/**
 * Number of channels in one piece of a list. Decrypting the secrets of one channel takes up to a tenth of a
 * millisecond.
 */
const maxChannelsAtOnce = 20;

export const listChannels: Handler<'listChannels'> = async (request, backend) => {
  const rows = await listRows(backend.store.db, 'channel', request);
  return inPieces(rows, maxChannelsAtOnce, (some) => some.map((row) => renderChannel(row, backend)));
};

/**
 * Returns a channel as the API shows it: with masked secrets, and with an empty config if the stored config cannot be
 * decrypted.
 */
export function renderChannel(
  row: ChannelRow,
  { notifier, messageRules, deps }: Pick<Backend, 'notifier' | 'messageRules' | 'deps'>,
): AnswerOf<'createChannel'> {
  const held = row.wait_until > deps.clock.now() ? row.held_why : null;
  const config = notifier.open(row);
  return {
    id: row.id,
    key: row.key,
    managedBy: row.managed_by,
    name: row.name,
    type: row.type,
    config: config === null ? {} : maskConfig(row.type, config),
    configDigest: createHash('sha256')
      .update(configDigestText(row.id, config ?? {}))
      .digest('hex'),
    ...(needsConfirmation(row, messageRules) && { confirmedAt: isoTimeOrNull(row.confirmed_at) }),
    lastSentAt: isoTimeOrNull(row.last_sent_at),
    lastError: config === null ? unreadable : (held ?? row.last_error),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
