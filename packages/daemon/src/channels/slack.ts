import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { wordsFor } from './words.ts';

/** Slack's incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Channel<'slack'> = {
  send({ webhookUrl }, message, context) {
    const { title, sentence, facts, link, emoji } = wordsFor(message);
    const details = facts.map(({ label, value }) => `*${label}:* ${escape(cut(value, 300))}`).join('\n');
    return call(context, {
      url: webhookUrl,
      secrets: [webhookUrl],
      json: {
        // What notifications and screen readers say in place of the blocks.
        text: `${emoji} ${escape(title)}: ${escape(sentence)}`,
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: cut(`${emoji} ${title}`, 150), emoji: true } },
          { type: 'section', text: { type: 'mrkdwn', text: escape(cut(sentence, 600)) } },
          ...(details === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: details } }]),
          { type: 'context', elements: [{ type: 'mrkdwn', text: `<${escape(link)}|Open>` }] },
        ],
      },
    });
  },
};

/** Slack's three control characters; with them escaped, `<!channel>` and `<@U…>` are just text. */
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
