import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of base62 from the system's generator, each equally likely. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte. Higher values would favour the first letters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** A project's API key: 238 bits from the system's generator. */
export const newApiKey = (): string => `uptime_${randomText(40)}`;

/** The API key of a request, from either header; null if there is none. */
export function readApiKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-api-key'];
  if (key !== undefined) return String(key);
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Whether a text can be an API key at all. Other texts are not looked up in the store. */
export const isApiKey = (text: string): boolean => /^uptime_[0-9A-Za-z]{32,100}$/.test(text);

/** The secret in a heartbeat's address: 190 bits. */
export const newPingToken = (): string => randomText(pingTokenLength);

const pingTokenLength = 32;

/**
 * Whether a text can be a ping token at all. It runs for every ping, and a regular expression would be a fiftieth of a
 * ping's cost.
 */
export function isPingToken(text: string): boolean {
  if (text.length !== pingTokenLength) return false;
  for (let at = 0; at < pingTokenLength; at++) if (!isBase62(text.charCodeAt(at))) return false;
  return true;
}

/** Whether a character is one of 0 to 9, A to Z and a to z. */
const isBase62 = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
