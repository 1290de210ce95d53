import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from './escape-html.ts';
import { waitInBody } from './answer-body.ts';
import { wordsFor } from './words.ts';

/** Matrix's client-server API: https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix: Channel<'matrix'> = {
  async send({ homeserverUrl, roomId, accessToken }, message, context) {
    if (!roomId.startsWith('!')) {
      const text = 'roomId must be the room\'s id, which begins with "!"; an alias (#room:server) only leads to it.';
      return { ok: false, retry: false, retryAfter: null, status: null, text };
    }
    const { title, sentence, facts, link, emoji } = wordsFor(message);
    const shown = facts.map(({ label, value }) => ({ label, value: cut(value, 1000) }));
    const room = encodeURIComponent(roomId.toWellFormed());
    return call(context, {
      method: 'PUT',
      // The transaction's id lets the homeserver drop a repetition.
      url: `${homeserverUrl.replace(/\/+$/, '')}/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(message.id)}`,
      headers: { authorization: `Bearer ${accessToken}` },
      secrets: [accessToken],
      wait: waitInBody('retry_after_ms', 1),
      json: {
        // A notice (`m.notice`) would wake nobody.
        msgtype: 'm.text',
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
        // Says that nobody is meant, so that an `@room` in a name rings for nobody.
        'm.mentions': {},
      },
    });
  },
};
