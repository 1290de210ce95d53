import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Characters of the code in a link: 144 bits, which cannot be guessed. */
const codeLength = 24;

/**
 * The address of an alert's page. Everyone with the link may read the page. The code in the link is derived from the
 * server's secret (RFC 2104), so that no table has to store it.
 */
export const alertLink = (siteUrl: string, secret: string, alertId: string): string =>
  `${siteUrl}/alerts/${alertId}.${codeOf(secret, alertId)}`;

/** The id of the alert, from the last part of the address of its page; null if the address is not genuine. */
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
