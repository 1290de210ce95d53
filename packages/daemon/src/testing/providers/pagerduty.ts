import * as z from 'zod';
import { canary, type Provider, text, within } from './provider.ts';

const key = { routing_key: z.literal(canary), dedup_key: text(255) };

/** https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty: Provider = {
  config: () => ({ integrationKey: canary }),
  gateways: (url) => ({ pagerdutyUrl: `${url}/` }),
  method: 'POST',
  path: /^\/v2\/enqueue$/,
  body: z
    .discriminatedUnion('event_action', [
      z.strictObject({
        ...key,
        event_action: z.literal('trigger'),
        client: text(255),
        client_url: z.url(),
        links: z.array(z.strictObject({ href: z.url(), text: text(255) })),
        payload: z.strictObject({
          summary: text(1024),
          source: text(255),
          severity: z.enum(['critical', 'error', 'warning', 'info']),
          timestamp: z.iso.datetime(),
          class: text(255),
          custom_details: z.record(z.string(), z.string()),
        }),
      }),
      z.strictObject({ ...key, event_action: z.literal('resolve') }),
    ])
    .refine(within(512 * 1024), 'must be at most 512 KB'),
  plain: {
    oneLine: true,
    body: z.strictObject({
      ...key,
      event_action: z.literal('trigger'),
      payload: z.strictObject({
        summary: text(1024),
        source: text(255),
        severity: z.enum(['critical', 'error', 'warning', 'info']),
      }),
    }),
    refusal: {
      status: 400,
      body: '{"status":"invalid event","message":"Event object is invalid","errors":["\'links\' is invalid"]}',
    },
  },
  answer: { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"alr_1"}' },
};
