import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { type Words, wordsFor } from './words.ts';

/** Pushover: https://pushover.net/api */
export const pushover: Channel<'pushover'> = {
  send({ userKey, appToken }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, tone } = words;
    const details = facts.map(({ label, value }) => `${label}: ${cut(value, 150)}`);
    const { priority, sound } = urgency[tone];
    const to = {
      url: `${context.gateways.pushoverUrl.replace(/\/+$/, '')}/1/messages.json`,
      secrets: [userKey, appToken],
      refusal: refused,
    };
    // A high priority breaks through quiet hours, so both forms of the message have the priority.
    const whom = { token: appToken, user: userKey, priority };
    return sendForms(context, {
      rich: {
        ...to,
        form: {
          ...whom,
          title: cut(title, 250),
          message: cut([cut(sentence, 500), ...details].join('\n'), 1024),
          sound,
          timestamp: String(Math.floor(message.notice.at / 1000)),
          // A long link is left out, because a shortened address would lead nowhere.
          ...(link.length <= 512 && { url: link, url_title: 'Open' }),
        },
      },
      plain: { ...to, form: { ...whom, message: plainText(words, { maxCharacters: 1024 }) } },
    });
  },
};

/**
 * High priority breaks through quiet hours. The emergency priority would ring until a person acknowledges the
 * message. Users did not ask for that.
 */
const urgency: Record<Words['tone'], { priority: string; sound: string }> = {
  bad: { priority: '1', sound: 'siren' },
  warning: { priority: '0', sound: 'intermission' },
  good: { priority: '0', sound: 'magic' },
  neutral: { priority: '0', sound: 'pushover' },
};

/** Returns the refusal in an answer. Null if `status` is 1, which means that Pushover accepted the message. */
const refused = (body: string): string | null =>
  /"status"\s*:\s*1\b/.test(body) ? null : body || 'The provider sent an empty answer.';
