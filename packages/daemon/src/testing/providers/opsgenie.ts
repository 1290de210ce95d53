import * as z from 'zod';
import { canary, type Provider, text } from './provider.ts';

const created = z.strictObject({
  message: text(130),
  alias: text(512),
  description: text(15_000),
  details: z
    .record(z.string(), z.string())
    .refine((details) => Object.entries(details).flat().join('').length <= 8000, 'must be at most 8,000 characters'),
  entity: text(512),
  source: text(100),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
  tags: z.array(text(50)).max(20),
});
const closed = z.strictObject({ source: text(100), note: text(25_000) });

/** https://docs.opsgenie.com/docs/alert-api */
export const opsgenie: Provider = {
  config: () => ({ apiKey: canary, region: 'us' }),
  gateways: (url) => ({ opsgenieUrl: `${url}/` }),
  method: 'POST',
  path: /^\/v2\/alerts(?:\/alr_1\/close\?identifierType=alias)?$/,
  headers: { authorization: `GenieKey ${canary}` },
  body: z.union([created, closed]),
  plain: {
    body: created.pick({ message: true, alias: true, description: true, priority: true }),
    refusal: { status: 422, body: '{"message":"Request body is not processable.","errors":{"details":"invalid"}}' },
  },
  answer: { status: 202, body: '{"result":"Request will be processed","took":0.3,"requestId":"43a2"}' },
};
