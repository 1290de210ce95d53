import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor, type Words } from './words.ts';

/** ntfy's JSON interface: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: Channel<'ntfy'> = {
  send({ topic, serverUrl }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, tone } = words;
    // If this address contains credentials, `call` sends them as a header. An access token is written as a password
    // without a user name.
    const url = serverUrl;
    const priority = priorities[tone];
    return sendForms(context, {
      rich: {
        url,
        json: {
          topic,
          title: cut(title, 250),
          // ntfy would deliver more than 4,096 bytes as a file.
          message: [cut(sentence, 400), ...facts.map(({ label, value }) => `${label}: ${cut(value, 200)}`)].join('\n'),
          priority,
          tags: [tags[tone]],
          ...(link.length <= 2000 && { click: link }),
        },
      },
      // The plain form has the priority too, because the priority decides how the phone rings.
      plain: { url, json: { topic, message: plainText(words), priority } },
    });
  },
};

/** Priority 5 rings for long, and even during "do not disturb" if the user allows that. 3 is the default. */
const priorities: Record<Words['tone'], number> = { bad: 5, warning: 4, good: 3, neutral: 3 };

/** ntfy's names of emojis, which it shows before the title: https://docs.ntfy.sh/emojis */
const tags: Record<Words['tone'], string> = {
  bad: 'red_circle',
  warning: 'orange_circle',
  good: 'green_circle',
  neutral: 'bell',
};
