import { randomBytes } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of base62 from the system's generator, each equally likely. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte: what lies beyond would favour the first letters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** An id of a kind: its prefix, nine characters that sort by time (`now` in epoch milliseconds), and 13 random ones. */
export const newId = (prefix: string, now: number): string =>
  `${prefix}_${Math.max(0, Math.floor(now)).toString(36).padStart(9, '0')}${randomText(13)}`;

/** A project's API key: 238 bits from the system's generator. */
export const newApiKey = (): string => `uptime_${randomText(40)}`;

/** The secret in a heartbeat's address: 190 bits. */
export const newPingToken = (): string => randomText(32);
