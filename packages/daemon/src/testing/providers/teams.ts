import * as z from 'zod';
import { canary, type Provider, text, within } from './provider.ts';

const run = z.strictObject({
  type: z.literal('TextRun'),
  text: text(5000),
  size: z.enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge']).optional(),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
  color: z.enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention']).optional(),
});
/** An element of a card. Text blocks and facts are not allowed, because Teams reads Markdown in them. */
const element = z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(run).min(1) });

/** https://adaptivecards.io/explorer and https://learn.microsoft.com/connectors/teams */
export const teams: Provider = {
  config: (url) => ({ webhookUrl: `${url}/workflows/0123/triggers/manual/paths/invoke?api-version=1&sig=${canary}` }),
  method: 'POST',
  path: /^\/workflows\/0123\/triggers\/manual\/paths\/invoke\?api-version=1&sig=CANARY-5e8c0c1d2f$/,
  body: z
    .strictObject({
      type: z.literal('message'),
      attachments: z.tuple([
        z.strictObject({
          contentType: z.literal('application/vnd.microsoft.card.adaptive'),
          content: z.strictObject({
            $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
            type: z.literal('AdaptiveCard'),
            version: z.literal('1.4'),
            fallbackText: text(5000),
            body: z.array(element).min(2),
            actions: z
              .tuple([z.strictObject({ type: z.literal('Action.OpenUrl'), title: text(20), url: z.url() })])
              .optional(),
            msteams: z.strictObject({ width: z.literal('Full') }),
          }),
        }),
      ]),
    })
    .refine(within(28 * 1024), 'must be at most 28 KB'),
  plain: {
    body: z.strictObject({
      type: z.literal('message'),
      attachments: z.tuple([
        z.strictObject({
          contentType: z.literal('application/vnd.microsoft.card.adaptive'),
          content: z.strictObject({
            $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
            type: z.literal('AdaptiveCard'),
            version: z.literal('1.2'),
            body: z.array(
              z.strictObject({
                type: z.literal('RichTextBlock'),
                inlines: z.tuple([z.strictObject({ type: z.literal('TextRun'), text: text(1000) })]),
              }),
            ),
          }),
        }),
      ]),
    }),
    refusal: { status: 400, body: '{"error":{"code":"InvalidRequest","message":"The card is not valid."}}' },
  },
  answer: { status: 202, body: '' },
};
