import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeAngles } from '../escape-html.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor } from './words.ts';

/** Slack's incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Channel<'slack'> = {
  send({ webhookUrl }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, emoji } = words;
    // In Slack's markup, `|` ends the address of a link.
    const address = escapeAngles(link.replaceAll('|', '%7C'));
    const to = { url: webhookUrl, secrets: [webhookUrl] };
    const noPreview = { unfurl_links: false, unfurl_media: false };
    return sendForms(context, {
      rich: {
        ...to,
        json: {
          // Notifications and screen readers use this text, because they do not read the blocks.
          text: cut(`${emoji} ${title}: ${sentence}`, 2000, escapeAngles),
          ...noPreview,
          blocks: [
            { type: 'header', text: plain(`${emoji} ${title}`, 150) },
            { type: 'section', text: plain(sentence, 2000) },
            ...(facts.length === 0
              ? []
              : [{ type: 'section', fields: facts.map(({ label, value }) => plain(`${label}:\n${value}`, 600)) }]),
            ...(address.length > maxAddressCharacters
              ? []
              : [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<${address}|Open>`, verbatim: true }] }]),
          ],
        },
      },
      plain: {
        ...to,
        json: {
          ...noPreview,
          mrkdwn: false,
          text: plainText({ ...words, link: escapeAngles(link) }, { escape: escapeAngles }),
        },
      },
    });
  },
};

/** A longer address is left out: a text object of Slack holds 3,000 characters, and a shortened address is useless. */
const maxAddressCharacters = 2900;

/**
 * Returns a text object without markup. With markup, the characters `*`, `_` and backtick in texts from users would
 * format the text, because Slack has no escapes for them. Slack's control characters `&`, `<` and `>` are escaped here.
 * So `<!channel>` in a text mentions no one.
 */
const plain = (text: string, maxCharacters: number) => ({
  type: 'plain_text',
  text: cut(text, maxCharacters, escapeAngles),
});
