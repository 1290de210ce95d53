import * as z from 'zod';
import { canary, type Provider, text } from './provider.ts';

/** A webhook gets exactly the documented payload. */
export const webhook: Provider = {
  config: (url) => ({
    url: `${url}/hooks/${canary}?key=${canary}`,
    method: 'POST',
    headers: { authorization: `Bearer ${canary}` },
    secret: canary,
  }),
  forPrograms: true,
  method: 'POST',
  path: /^\/hooks\/CANARY-5e8c0c1d2f\?key=CANARY-5e8c0c1d2f$/,
  headers: { authorization: `Bearer ${canary}` },
  body: z.strictObject({
    event: text(50),
    monitor: z.strictObject({ id: z.string(), name: z.string(), url: z.string() }),
    timestamp: z.iso.datetime({ precision: 3 }),
    details: z.strictObject({ statusCode: z.int(), responseTime: z.number(), region: z.string() }),
  }),
  answer: { status: 204, body: '' },
};
