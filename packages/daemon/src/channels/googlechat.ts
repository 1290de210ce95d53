import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeAngles } from '../escape-html.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor } from './words.ts';

/** Google Chat's webhooks: https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googlechat: Channel<'googlechat'> = {
  send({ webhookUrl }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, emoji } = words;
    const url = URL.parse(webhookUrl);
    // With this parameter, Google Chat puts a recovery into the thread of its alarm.
    url?.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    const to = { url: url?.href ?? webhookUrl, secrets: [webhookUrl] };
    const thread = { threadKey: message.notice.alert };
    return sendForms(context, {
      rich: {
        ...to,
        json: {
          thread,
          // This is the text of notifications. In a field `text`, Google Chat would parse markup and mention people.
          fallbackText: cut(`${emoji} ${title}: ${sentence}`, 1000),
          cardsV2: [
            {
              cardId: message.id,
              card: {
                sections: [
                  {
                    widgets: [
                      { textParagraph: { text: `<b>${emoji} ${cut(title, 1500, escapeAngles)}</b>` } },
                      { textParagraph: { text: cut(sentence, 1500, escapeAngles) } },
                      ...facts.map(({ label, value }) => ({
                        decoratedText: { topLabel: label, text: cut(value, 1500, escapeAngles), wrapText: true },
                      })),
                      { buttonList: { buttons: [{ text: 'Open', onClick: { openLink: { url: link } } }] } },
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
      plain: { ...to, json: { thread, text: plainText(words, { escape: unmentioned }) } },
    });
  },
};

/** Google Chat's text has no escapes. A zero-width character after an angle bracket prevents mentions. */
const unmentioned = (character: string) => (character === '<' ? '<\u200b' : character);
