import type { Collection } from './collection.ts';

/** The longest timeout of a monitor, in seconds. */
const longestTimeout = 120;

/** Rounds a timeout to one that a monitor may have, in seconds. A note says if it becomes shorter. */
export function timeoutWithin(seconds: number, about: string, { note }: Pick<Collection, 'note'>): number {
  if (seconds > longestTimeout)
    note('changed', about, `the timeout of ${seconds} s becomes ${longestTimeout} s, the maximum`);
  return Math.min(longestTimeout, Math.max(1, Math.ceil(seconds)));
}
