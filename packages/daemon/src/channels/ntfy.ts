import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { wordsFor, type Words } from './words.ts';

/** ntfy, published as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: Channel<'ntfy'> = {
  send({ topic, serverUrl }, message, context) {
    const { title, sentence, facts, link, mood } = wordsFor(message);
    return call(context, {
      // An access token is a password without a name.
      url: serverUrl,
      json: {
        topic,
        title: cut(title, 250),
        // What is over 4,096 bytes would arrive as a file.
        message: [cut(sentence, 400), ...facts.map(({ label, value }) => `${label}: ${cut(value, 200)}`)].join('\n'),
        priority: priorities[mood],
        tags: [tags[mood]],
        ...(link.length <= 2000 && { click: link }),
      },
    });
  },
};

/** 5 rings long, and through "do not disturb" where that is allowed; 3 is the default. */
const priorities: Record<Words['mood'], number> = { bad: 5, warning: 4, good: 3, neutral: 3 };

/** ntfy's names of emojis, which it puts before the title: https://docs.ntfy.sh/emojis */
const tags: Record<Words['mood'], string> = {
  bad: 'red_circle',
  warning: 'orange_circle',
  good: 'green_circle',
  neutral: 'bell',
};
