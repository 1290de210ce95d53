import * as z from 'zod';
import { canary, type Provider, text, within } from './provider.ts';

const basic = Buffer.from(`phil:${canary} "/&`).toString('base64');

/** https://docs.ntfy.sh/publish/#publish-as-json and …#limitations */
export const ntfy: Provider = {
  config: (url) => ({
    topic: 'shop-alerts',
    serverUrl: url.replace('://', `://phil:${encodeURIComponent(`${canary} "/&`)}@`),
  }),
  method: 'POST',
  path: /^\/$/,
  headers: { authorization: `Basic ${basic}` },
  body: z
    .strictObject({
      topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
      title: text(250),
      message: text(4096).refine((value) => Buffer.byteLength(value) <= 4096, 'would become an attachment'),
      priority: z.int().min(1).max(5),
      tags: z.array(z.enum(['red_circle', 'orange_circle', 'green_circle', 'bell'])),
      click: z.url().optional(),
    })
    .refine(within(8192), 'must be at most 8,192 bytes'),
  plain: {
    body: z.strictObject({
      topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
      message: text(4096).refine((value) => Buffer.byteLength(value) <= 4096, 'would become an attachment'),
      priority: z.int().min(1).max(5),
    }),
    refusal: { status: 400, body: '{"code":40018,"http":400,"error":"invalid request: actions invalid"}' },
  },
  answer: { status: 200, body: '{"id":"xE73Iyuabi","event":"message","topic":"shop-alerts"}' },
};
