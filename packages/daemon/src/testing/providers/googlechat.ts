import * as z from 'zod';
import { canary, type Provider, text, within } from './provider.ts';

/** Text whose only markup is bold. */
const markup = text(10_000).regex(/^(?:[^&<>]|&(?:amp|lt|gt);|<\/?b>)*$/);
const widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: markup }) }),
  z.strictObject({ decoratedText: z.strictObject({ topLabel: text(50), text: markup, wrapText: z.boolean() }) }),
  z.strictObject({
    buttonList: z.strictObject({
      buttons: z.tuple([
        z.strictObject({
          text: text(20),
          onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
        }),
      ]),
    }),
  }),
]);

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create */
export const googlechat: Provider = {
  config: (url) => ({ webhookUrl: `${url}/v1/spaces/AAAA/messages?key=${canary}-key&token=${canary}%2Bz%3D` }),
  method: 'POST',
  path: /^\/v1\/spaces\/AAAA\/messages\?key=CANARY-5e8c0c1d2f-key&token=CANARY-5e8c0c1d2f%2Bz%3D&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD$/,
  body: z
    .strictObject({
      thread: z.strictObject({ threadKey: text(4000) }),
      fallbackText: text(4096),
      cardsV2: z.tuple([
        z.strictObject({
          cardId: text(64),
          card: z.strictObject({ sections: z.tuple([z.strictObject({ widgets: z.array(widget).min(2).max(100) })]) }),
        }),
      ]),
    })
    .refine(within(32_000), 'must be at most 32,000 bytes'),
  plain: {
    body: z.strictObject({
      thread: z.strictObject({ threadKey: text(4000) }),
      // The text contains no mention, and no link that shows a text in place of its address.
      text: text(4096).regex(/^(?!.*<(?:users\/|https?:))/s),
    }),
    refusal: {
      status: 400,
      body: '{"error":{"code":400,"message":"Invalid JSON payload received.","status":"INVALID_ARGUMENT"}}',
    },
  },
  answer: { status: 200, body: '{"name":"spaces/AAAA/messages/1"}' },
};
