import * as z from 'zod';
import { canary, type Provider, text, within } from './provider.ts';

/** https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix: Provider = {
  config: (url) => ({ homeserverUrl: `${url}/`, roomId: '!abc/def:example.com', accessToken: `${canary}"/&` }),
  method: 'PUT',
  path: /^\/_matrix\/client\/v3\/rooms\/!abc%2Fdef%3Aexample\.com\/send\/m\.room\.message\/[\w-]+$/,
  headers: { authorization: `Bearer ${canary}"/&` },
  body: z
    .strictObject({
      msgtype: z.literal('m.text'),
      body: text(20_000),
      format: z.literal('org.matrix.custom.html'),
      formatted_body: text(40_000).regex(
        /^(?:[^&<>]|&(?:amp|lt|gt|quot|#39);|<\/?strong>|<br>|<a href="https?:[^"<>]*">|<\/a>)*$/,
      ),
      'm.mentions': z.strictObject({}),
    })
    // An event may have 65,536 bytes, including what the homeserver adds.
    .refine(within(60_000), 'must be at most 60,000 bytes'),
  plain: {
    body: z.strictObject({ msgtype: z.literal('m.text'), body: text(20_000), 'm.mentions': z.strictObject({}) }),
    refusal: { status: 413, body: '{"errcode":"M_TOO_LARGE","error":"event too large"}' },
  },
  answer: { status: 200, body: '{"event_id":"$abc"}' },
};
