import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Length of the code in a link, in characters. 24 base64url characters hold 144 bits, which no one can guess. */
const codeLength = 24;

/**
 * Returns the link to an alert's page. Everyone with the link may read the page. The code in the link derives from the
 * server's secret (HMAC, RFC 2104), so it need not be stored.
 */
export const alertLink = (siteUrl: string, secret: string, alertId: string): string =>
  `${siteUrl}/alerts/${alertId}.${codeOf(secret, alertId)}`;

/** Returns the id of the alert from the last part of a link to its page. Null if `alertLink` did not make that link. */
export function alertOfLink(secret: string, lastPart: string): string | null {
  const dot = lastPart.lastIndexOf('.');
  const [alertId, code] = [lastPart.slice(0, Math.max(0, dot)), Buffer.from(lastPart.slice(dot + 1))];
  const expected = Buffer.from(codeOf(secret, alertId));
  return code.length === expected.length && timingSafeEqual(code, expected) ? alertId : null;
}

function codeOf(secret: string, alertId: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'uptime alert links', 32));
  return createHmac('sha256', key).update(alertId).digest('base64url').slice(0, codeLength);
}
