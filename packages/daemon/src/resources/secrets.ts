import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` random characters of base62 from the operating system. Each character is equally likely. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte. Bytes from 248 on are skipped, because they would make the first
      // eight characters more likely than the others.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** Returns a new API key with 238 random bits. */
export const newApiKey = (): string => `uptime_${randomText(40)}`;

/** Returns the API key of a request, from the header `x-api-key` or `authorization`; null if the request has none. */
export function readApiKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-api-key'];
  if (key !== undefined) return String(key);
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Whether a text has the format of an API key. Other texts are not looked up in the store. */
export const isApiKey = (text: string): boolean => /^uptime_[0-9A-Za-z]{32,100}$/.test(text);

/** Returns a new secret for a heartbeat's ping address, with 190 random bits. */
export const newPingToken = (): string => randomText(pingTokenLength);

const pingTokenLength = 32;

/**
 * Whether a text has the format of a ping token. It avoids a regular expression, because it runs for every ping, and
 * the expression would take a fiftieth of the ping's processor time.
 */
export function isPingToken(text: string): boolean {
  if (text.length !== pingTokenLength) return false;
  for (let at = 0; at < pingTokenLength; at++) if (!isBase62(text.charCodeAt(at))) return false;
  return true;
}

/** Whether a character is one of 0 to 9, A to Z and a to z. */
const isBase62 = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
