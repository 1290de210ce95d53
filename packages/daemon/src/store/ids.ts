import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns a new id: the prefix of its kind, then 10 characters for the time and 16 random characters (a ULID). So ids
 * sort by their time of creation. See https://github.com/ulid/spec.
 */
export function newId(prefix: string, now: number): string {
  let time = '';
  for (let left = Math.floor(now), i = 0; i < 10; i++, left = Math.floor(left / 32)) time = alphabet[left % 32]! + time;
  let chance = '';
  for (const byte of randomBytes(16)) chance += alphabet[byte % 32]!;
  return `${prefix}_${time}${chance}`;
}
