import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { wordsFor, type Words } from './words.ts';

/** Teams' workflow webhooks: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook */
export const teams: Channel<'teams'> = {
  send({ webhookUrl }, message, context) {
    const words = wordsFor(message);
    const { title, sentence, facts, link, tone, emoji } = words;
    const to = { url: webhookUrl, secrets: [webhookUrl] };
    return sendForms(context, {
      rich: {
        ...to,
        json: card({
          version: '1.4',
          fallbackText: cut(`${title}: ${sentence}`, 1000),
          body: [
            line({ text: `${emoji} ${title}`, size: 'Large', weight: 'Bolder', color: colors[tone] }),
            line({ text: cut(sentence, 1500) }),
            ...facts.map(({ label, value }) =>
              line({ text: `${label}: `, weight: 'Bolder' }, { text: cut(value, 700) }),
            ),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
          msteams: { width: 'Full' },
        }),
      },
      // A workflow accepts only cards. The plain card has an older version, and only text.
      plain: {
        ...to,
        json: card({
          version: '1.2',
          body: plainText(words)
            .split('\n')
            .map((text) => line({ text })),
        }),
      },
    });
  },
};

const card = (content: object) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        ...content,
      },
    },
  ],
});

const colors: Record<Words['tone'], string> = {
  bad: 'Attention',
  warning: 'Warning',
  good: 'Good',
  neutral: 'Default',
};

interface Run {
  text: string;
  size?: 'Large';
  weight?: 'Bolder';
  color?: string;
}

/** Returns a line of text runs. In a text block, Teams would parse Markdown in a monitor's name. */
const line = (...runs: Run[]) => ({ type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) });
