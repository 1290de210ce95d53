import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from '../escape-html.ts';
import { retryAfterMsInBody } from './answer-body.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor } from './words.ts';

/** Matrix's client-server API: https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix: Channel<'matrix'> = {
  async send({ homeserverUrl, roomId, accessToken }, message, context) {
    if (!roomId.startsWith('!')) {
      const text = 'roomId must be the room\'s id, which begins with "!". An alias (#room:server) cannot be used.';
      return { ok: false, retry: false, retryAfterMs: null, status: null, text };
    }
    const words = wordsFor(message);
    const { title, sentence, facts, link, emoji } = words;
    const shown = facts.map(({ label, value }) => ({ label, value: cut(value, 1000) }));
    const room = encodeURIComponent(roomId.toWellFormed());
    const to = (transaction: string) => ({
      method: 'PUT' as const,
      // The transaction's id lets the homeserver drop a repetition.
      url: `${homeserverUrl.replace(/\/+$/, '')}/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(transaction)}`,
      headers: { authorization: `Bearer ${accessToken}` },
      secrets: [accessToken],
      retryAfterMsOf: retryAfterMsInBody('retry_after_ms', 1),
    });
    const text = {
      // A message of the type `m.notice` would not notify people.
      msgtype: 'm.text',
      // Declares that no one is mentioned, so that an `@room` in a name notifies no one.
      'm.mentions': {},
    };
    return sendForms(context, {
      rich: {
        ...to(message.id),
        json: {
          ...text,
          body: [
            `${emoji} ${title}`,
            cut(sentence, 2000),
            ...shown.map(({ label, value }) => `${label}: ${value}`),
            link,
          ].join('\n'),
          format: 'org.matrix.custom.html',
          formatted_body: [
            `<strong>${emoji} ${escapeHtml(title)}</strong>`,
            escapeHtml(cut(sentence, 2000)),
            ...shown.map(({ label, value }) => `${label}: ${escapeHtml(value)}`),
            `<a href="${escapeHtml(link)}">Open</a>`,
          ].join('<br>'),
        },
      },
      // A different transaction id, because a homeserver may repeat its refusal for the first id.
      plain: { ...to(`${message.id}-plain`), json: { ...text, body: plainText(words) } },
    });
  },
};
