import * as z from 'zod';
import { requestHeaders } from '../fields.ts';
import { defineChannelType } from './define-channel-type.ts';
import { addressRule, headersRule, secretAddress, token } from './config-fields.ts';

export const webhook = defineChannelType({
  label: 'Webhook',
  config: z
    .strictObject({
      url: secretAddress('Address to call.'),
      method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST').describe('HTTP method.'),
      headers: requestHeaders.default({}).describe('Request headers; values are masked when read.'),
      secret: token('Signs each delivery (Standard Webhooks).').nullable().default(null),
    })
    .meta({ id: 'WebhookConfig' }),
  secrets: ['url', 'headers.*', 'secret'],
  destinations: ['url'],
  rules: { url: addressRule, headers: headersRule },
  lateAlarms: 'each',
  example: {
    name: 'Own endpoint',
    config: {
      url: '${WEBHOOK_URL}',
      method: 'POST',
      headers: { authorization: '${WEBHOOK_TOKEN}' },
      secret: '${WEBHOOK_SECRET}',
    },
  },
  docs: {
    setup: `
A webhook sends to any HTTP address of yours. Only \`url\` is required.`,
    notes: `
\`\`\`json
{
  "event": "monitor_down",
  "monitor": { "id": "mon_…", "name": "Shop", "url": "https://shop.example/cart" },
  "timestamp": "2026-01-31T08:00:00.000Z",
  "details": { "statusCode": 500, "responseTime": 31, "region": "default" }
}
\`\`\`

- \`event\` is one of \`monitor_down\`, \`monitor_up\`, \`ssl_expiring\`, \`ssl_expired\`, \`ssl_invalid\`, \`domain_expiring\`, \`domain_expired\` and
  \`test\`.
- If the target did not respond, \`statusCode\` is 0. The \`url\` of a heartbeat is empty.
- A GET has no body. Its query parameter \`payload\` has the JSON instead.
- Credentials in the address (\`https://name:password@…\`) become a Basic authorization.
- Respond with a 2xx status within 15 seconds. The daemon does not follow redirects.

\`webhook-id\` is the same for all attempts of a delivery, so you can drop repetitions.

With a \`secret\`, the request has a \`webhook-signature\`, as defined by [Standard Webhooks](https://www.standardwebhooks.com). It is \`v1,\`
and the base64 of an HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`. For a GET, the value of \`payload\` takes the place of the
body. If the secret begins with \`whsec_\`, the key is the base64 after it. Any other secret is the key itself.

Compute the expected signature from the body exactly as it arrived. Also check that the timestamp (in seconds) is at most five minutes old:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
const given = Buffer.from(signature.replace('v1,', ''), 'base64');
const genuine = given.length === expected.length && timingSafeEqual(given, expected);
\`\`\``,
  },
});
