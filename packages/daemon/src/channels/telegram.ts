import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from './escape-html.ts';
import { parseBody, waitInBody } from './answer-body.ts';
import { wordsFor } from './words.ts';

/** Telegram's Bot API: https://core.telegram.org/bots/api#sendmessage */
export const telegram: Channel<'telegram'> = {
  send({ botToken, chatId }, message, context) {
    const { title, sentence, facts, link, emoji } = wordsFor(message);
    const token = encodeURIComponent(botToken.toWellFormed()).replaceAll('%3A', ':');
    // A message holds 4,096 characters after its markup is read.
    const text = [
      `<b>${emoji} ${cut(title, 1000, escape)}</b>`,
      cut(sentence, 1000, escape),
      ...(facts.length === 0 ? [] : ['']),
      ...facts.map(({ label, value }) => `${label}: ${cut(value, 700, escape)}`),
      ...(link.length > 2000 ? [] : [`<a href="${escapeHtml(link)}">Open</a>`]),
    ];
    return call(context, {
      url: `${context.gateways.telegramUrl.replace(/\/+$/, '')}/bot${token}/sendMessage`,
      secrets: [botToken],
      wait: waitInBody('parameters.retry_after', 1000),
      refusal: (body) => ((parseBody(body) as { ok?: unknown } | null)?.ok === true ? null : body),
      json: {
        chat_id: chatId,
        text: text.join('\n'),
        // HTML has the fewest characters to escape.
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    });
  },
};

/** Without the joiner, which takes no room, an `@name` would call whoever has it. */
const escape = (character: string) => (character === '@' ? '@\u2060' : escapeHtml(character));
