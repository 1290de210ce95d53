import { createHmac } from 'node:crypto';
import { call } from './call.ts';
import type { Channel } from './channel.ts';
import type { Notice } from './notice.ts';

/**
 * Sends a message to any HTTP endpoint, signed according to
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
 */
export const webhook: Channel<'webhook'> = {
  send({ url, method, headers, secret }, { id, notice }, context) {
    const payload = JSON.stringify(payloadOf(notice));
    const timestamp = String(Math.floor(context.clock.now() / 1000));
    return call(context, {
      method,
      url: method === 'GET' ? withQuery(url, payload) : url,
      ...(method !== 'GET' && { json: payloadOf(notice) }),
      secrets: [url, ...Object.values(headers), ...(secret === null ? [] : [secret])],
      headers: {
        ...chosen(headers),
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        ...(secret !== null && { 'webhook-signature': signature(secret, `${id}.${timestamp}.${payload}`) }),
      },
    });
  },
};

const payloadOf = ({ event, monitor, at, details }: Notice) => ({
  event,
  monitor: { id: monitor.id, name: monitor.name, url: monitor.url },
  timestamp: new Date(at).toISOString(),
  details: { statusCode: details.statusCode, responseTime: details.responseTime, region: details.region },
});

/** Appends the payload to the query of an address, because a GET request has no body (RFC 9110, 9.3.1). */
function withQuery(address: string, payload: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.hash = '';
  url.search = `${url.search === '' ? '?' : `${url.search}&`}payload=${encodeURIComponent(payload)}`;
  return url.href;
}

/** Returns the user's headers without the three that `send` sets, which identify the delivery and the sender. */
const chosen = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !['webhook-id', 'webhook-timestamp', 'webhook-signature'].includes(name)),
  );

/** Signs a text. If the secret begins with `whsec_`, the rest is the key in base64. Otherwise the secret is the key. */
function signature(secret: string, signed: string): string {
  const prefix = 'whsec_';
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
