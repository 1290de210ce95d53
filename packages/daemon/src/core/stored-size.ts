import { memberBytes, rowBytes } from '@uptime/sdk/contract';

/**
 * Returns the size of some fields: the bytes of their JSON, in which each number and boolean counts as `null`. So the
 * edit of a number does not change the size, and is possible even in a project that has used up its storage.
 */
export const textSize = (fields: object): number =>
  Buffer.byteLength(JSON.stringify(fields, (_, value: unknown) => (isText(value) ? value : null)));

const isText = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/**
 * Returns how many bytes of storage a row counts for. `columns` are the columns whose length users choose. `members` is
 * the number of monitors and channels that the row names.
 */
export function storedSize(columns: object, members = 0): number {
  const texts = Object.values(columns).filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), rowBytes + memberBytes * members);
}
