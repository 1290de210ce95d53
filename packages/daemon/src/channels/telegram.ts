import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from '../escape-html.ts';
import { parseBody, retryAfterMsInBody } from './answer-body.ts';
import { hasDottedHost } from './has-dotted-host.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor } from './words.ts';

/** Telegram's Bot API: https://core.telegram.org/bots/api#sendmessage */
export const telegram: Channel<'telegram'> = {
  send({ botToken, chatId }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, emoji } = words;
    const token = encodeURIComponent(botToken.toWellFormed()).replaceAll('%3A', ':');
    // A message holds 4,096 characters after its markup is parsed.
    const text = [
      `<b>${emoji} ${cut(title, 1000, escape)}</b>`,
      cut(sentence, 1000, escape),
      ...(facts.length === 0 ? [] : ['']),
      ...facts.map(({ label, value }) => `${label}: ${cut(value, 700, escape)}`),
      // Telegram makes no link to a host without a dot, such as `localhost`, so the address is shown as text.
      ...(link.length > 2000
        ? []
        : [hasDottedHost(link) ? `<a href="${escapeHtml(link)}">Open</a>` : escapeHtml(link)]),
    ];
    const to = {
      url: `${context.gateways.telegramUrl.replace(/\/+$/, '')}/bot${token}/sendMessage`,
      secrets: [botToken],
      retryAfterMsOf: retryAfterMsInBody('parameters.retry_after', 1000),
      refusal: (body: string) => ((parseBody(body) as { ok?: unknown } | null)?.ok === true ? null : body),
    };
    const chat = { chat_id: chatId, link_preview_options: { is_disabled: true } };
    return sendForms(context, {
      // HTML has the fewest characters to escape.
      rich: { ...to, json: { ...chat, text: text.join('\n'), parse_mode: 'HTML' } },
      plain: { ...to, json: { ...chat, text: plainText(words, { escape: unmentioned }) } },
    });
  },
};

/** Puts a word joiner after each `@`. Without it, an `@name` would notify the person with that name. */
const unmentioned = (character: string) => (character === '@' ? '@\u2060' : character);
const escape = (character: string) => escapeHtml(unmentioned(character));
