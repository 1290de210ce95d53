import { secretMask } from '@uptime/sdk/contract';
import { nothingSeen } from '../../channels/notice.ts';
import { surelyNotSent } from '../../channels/index.ts';
import { notFound } from '../../errors.ts';
import { uncountCode } from '../../alerting/confirmations/count-code.ts';
import type { IssuedCode } from '../../alerting/confirmations/issue-code.ts';
import { uncountMessage } from '../../alerting/message-budget/message-counts.ts';
import { newId } from '../../store/ids.ts';
import type { ChannelRow } from '../../store/tables.ts';
import type { AnswerOf, Backend } from '../handler.ts';
import { renderChannel } from './read.ts';

/**
 * A stored code, and the channel as it was when the code was stored. The config of the channel has the address that the
 * code is for.
 */
export interface CodeToSend {
  channel: ChannelRow;
  issued: IssuedCode;
}

/**
 * Sends a code to the address of a channel, and resolves with the channel as the API then shows it. If the code could
 * not be sent, the channel's error says why. Then the code counts against the limits only if it may have arrived.
 */
export async function sendCode(backend: Backend, { channel, issued }: CodeToSend): Promise<AnswerOf<'createChannel'>> {
  const { store, notifier, deps, stopping } = backend;
  const now = deps.clock.now();
  const notice = {
    kind: 'code',
    code: issued.code,
    event: 'test',
    alert: newId('alr', now),
    rule: '',
    monitor: { id: '', name: '', url: '' },
    at: now,
    since: now,
    error: null,
    details: nothingSeen,
  } as const;
  const sent = await notifier.send(channel, newId('dlv', now), notice, stopping);
  const row = await store.write(async (trx) => {
    if (surelyNotSent(sent)) {
      await uncountCode(trx, issued.mailbox);
      await uncountMessage(trx, issued.counted, { channel: channel.seq, now: deps.clock.now() });
    }
    return (
      trx
        .updateTable('channel')
        // The code is masked in the error, because a user who can read the error may not own the address.
        .set({ last_error: sent.ok ? null : `The code was not sent: ${sent.text.replaceAll(issued.code, secretMask)}` })
        .where('seq', '=', channel.seq)
        .returningAll()
        .executeTakeFirst()
    );
  });
  if (!row) throw notFound('channel');
  return renderChannel(row, backend);
}
