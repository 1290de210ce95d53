import * as z from 'zod';
import { canary, type Provider, text } from './provider.ts';

const tags = /<\/?b>|<a href="https?:[^"<>]*">|<\/a>/g;
const entities = /&(?:amp|lt|gt|quot|#39);/g;

/** https://core.telegram.org/bots/api#sendmessage and …#html-style */
export const telegram: Provider = {
  config: () => ({ botToken: `123456:${canary}`, chatId: '-1001234567890' }),
  gateways: (url) => ({ telegramUrl: url }),
  method: 'POST',
  path: /^\/bot123456:CANARY-5e8c0c1d2f\/sendMessage$/,
  body: z.strictObject({
    chat_id: z.literal('-1001234567890'),
    text: z
      .string()
      .refine((value) => value.isWellFormed(), 'must be well-formed')
      .refine((value) => value.replaceAll(tags, '').replaceAll(entities, '.').length <= 4096, 'message is too long')
      .refine((value) => !/[<>&]/.test(value.replaceAll(tags, '').replaceAll(entities, '.')), "can't parse entities")
      .refine((value) => !/@\w/.test(value.replaceAll(tags, '')), 'contains a mention'),
    parse_mode: z.literal('HTML'),
    link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  }),
  plain: {
    body: z.strictObject({
      chat_id: z.literal('-1001234567890'),
      text: text(4096).refine((value) => !/@\w/.test(value), 'contains a mention'),
      link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
    }),
    refusal: {
      status: 400,
      body: '{"ok":false,"error_code":400,"description":"Bad Request: can\'t parse entities: Unsupported start tag"}',
    },
  },
  answer: { status: 200, body: '{"ok":true,"result":{"message_id":7}}' },
};
