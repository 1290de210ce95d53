import * as z from 'zod';
import { canary, type Provider, text } from './provider.ts';

/** Text in which `&`, `<` and `>` are entities. Otherwise a text could mention people. */
const escaped = (maxCharacters: number) => text(maxCharacters).regex(/^(?:[^&<>]|&(?:amp|lt|gt);)*$/);
const plain = (maxCharacters: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: escaped(maxCharacters) });
const link = z.strictObject({
  type: z.literal('mrkdwn'),
  text: text(3000).regex(/^<https?:(?:[^&<>|]|&(?:amp|lt|gt);)*\|[^&<>|]+>$/),
  verbatim: z.boolean(),
});

/** https://docs.slack.dev/reference/block-kit/blocks and …/messaging/sending-messages-using-incoming-webhooks */
export const slack: Provider = {
  config: (url) => ({ webhookUrl: `${url}/services/T00000000/B00000000/${canary}` }),
  method: 'POST',
  path: /^\/services\/T00000000\/B00000000\/CANARY-5e8c0c1d2f$/,
  body: z.strictObject({
    text: escaped(4000),
    unfurl_links: z.literal(false),
    unfurl_media: z.literal(false),
    blocks: z
      .array(
        z.union([
          z.strictObject({ type: z.literal('header'), text: plain(150) }),
          z.strictObject({ type: z.literal('section'), text: plain(3000) }),
          z.strictObject({ type: z.literal('section'), fields: z.array(plain(2000)).min(1).max(10) }),
          z.strictObject({ type: z.literal('context'), elements: z.array(link).min(1).max(10) }),
        ]),
      )
      .min(1)
      .max(50),
  }),
  plain: {
    body: z.strictObject({
      text: escaped(4000),
      mrkdwn: z.literal(false),
      unfurl_links: z.literal(false),
      unfurl_media: z.literal(false),
    }),
    refusal: { status: 400, body: 'invalid_blocks' },
  },
  answer: { status: 200, body: 'ok' },
};
