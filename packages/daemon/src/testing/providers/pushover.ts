import * as z from 'zod';
import { canary, form, type Provider, text } from './provider.ts';

/** https://pushover.net/api#messages and …#limits */
export const pushover: Provider = {
  config: () => ({ userKey: `${canary}-user`, appToken: `${canary}-app` }),
  gateways: (url) => ({ pushoverUrl: `${url}/` }),
  method: 'POST',
  path: /^\/1\/messages\.json$/,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: form({
    token: z.literal(`${canary}-app`),
    user: z.literal(`${canary}-user`),
    title: text(250),
    message: text(1024),
    // Priority 2 would also need `retry` and `expire`.
    priority: z.enum(['-2', '-1', '0', '1']),
    sound: z.enum(['siren', 'intermission', 'magic', 'pushover']),
    timestamp: z.string().regex(/^\d{10}$/),
    url: z.url().max(512).optional(),
    url_title: text(100).optional(),
  }),
  plain: {
    body: form({
      token: z.literal(`${canary}-app`),
      user: z.literal(`${canary}-user`),
      message: text(1024),
      priority: z.enum(['-2', '-1', '0', '1']),
    }),
    refusal: { status: 400, body: '{"url":"is invalid","errors":["url is invalid"],"status":0}' },
  },
  answer: { status: 200, body: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}' },
};
