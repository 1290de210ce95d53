import { memberBytes, rowBytes } from '@uptime/sdk/contract';

/**
 * Returns the bytes of the texts in some fields. Numbers and booleans add nothing. So they can still be edited in a
 * project that has used up its storage.
 */
export const textSize = (fields: object): number =>
  Buffer.byteLength(JSON.stringify(fields, (_, value: unknown) => (isText(value) ? value : null)));

const isText = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/**
 * Returns the bytes that a row takes, with `memberBytes` for each of its members. `columns` are the columns whose
 * length users choose.
 */
export function storedSize(columns: object, members = 0): number {
  const texts = Object.values(columns).filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), rowBytes + memberBytes * members);
}
