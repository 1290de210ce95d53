import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { retryAfterMsInBody } from './answer-body.ts';
import { hasDottedHost } from './has-dotted-host.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor, type Words } from './words.ts';

/** Discord's webhooks: https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord: Channel<'discord'> = {
  send({ webhookUrl }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, tone, emoji } = words;
    const url = URL.parse(webhookUrl);
    // Without this parameter, Discord reports success even if it does not keep the message.
    url?.searchParams.set('wait', 'true');
    const to = {
      url: url?.href ?? webhookUrl,
      secrets: [webhookUrl],
      retryAfterMsOf: retryAfterMsInBody('retry_after', 1000),
    };
    // Prevents mentions, whatever a monitor's name contains.
    const noMentions = { allowed_mentions: { parse: [] } };
    const linked = link.length <= 2048 && hasDottedHost(link);
    // Discord refuses a link to a host without a dot, such as `localhost`, so such a link is shown as text.
    const shown = linked || link.length > 600 ? facts : [...facts, { label: 'Link', value: link }];
    return sendForms(context, {
      rich: {
        ...to,
        json: {
          ...noMentions,
          embeds: [
            {
              title: `${emoji} ${cut(title, 250, escape)}`,
              ...(linked && { url: link }),
              description: cut(sentence, 1500, escape),
              color: colors[tone],
              fields: shown.map(({ label, value }) => ({ name: label, value: cut(value, 600, escape), inline: true })),
              timestamp: new Date(message.notice.at).toISOString(),
            },
          ],
        },
      },
      plain: { ...to, json: { ...noMentions, content: plainText(words, { escape }) } },
    });
  },
};

const colors: Record<Words['tone'], number> = {
  bad: 0xd9_2d_20,
  warning: 0xf7_90_09,
  good: 0x12_b7_6a,
  neutral: 0x66_70_85,
};

/**
 * Escapes a character. In Discord's Markdown a backslash makes punctuation literal. Slashes are escaped too. Otherwise
 * Discord would turn part of an escaped address into a link.
 */
const escape = (character: string) =>
  character === '@' ? '@\u200b' : /[\\*_~`|[\]<>#/]/.test(character) ? `\\${character}` : character;
