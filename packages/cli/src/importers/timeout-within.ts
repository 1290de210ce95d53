import type { Collection } from './collection.ts';

/** The longest timeout of a monitor, in seconds. */
const longestTimeout = 120;

/**
 * Returns the nearest timeout that a monitor may have, in seconds. If that is shorter than the given timeout, adds a
 * note.
 */
export function timeoutWithin(seconds: number, about: string, { note }: Pick<Collection, 'note'>): number {
  if (seconds > longestTimeout)
    note('changed', about, `the timeout of ${seconds} s becomes ${longestTimeout} s, the maximum`);
  return Math.min(longestTimeout, Math.max(1, Math.ceil(seconds)));
}
