import { maxTimeoutSeconds } from '@uptime/sdk/contract';
import type { Collection } from './collection.ts';

/**
 * Returns the nearest timeout that a monitor may have, in seconds. If that is shorter than the given timeout, adds a
 * note.
 */
export function timeoutWithin(seconds: number, about: string, { note }: Pick<Collection, 'note'>): number {
  if (seconds > maxTimeoutSeconds)
    note('changed', about, `the timeout of ${seconds} s becomes ${maxTimeoutSeconds} s, the maximum`);
  return Math.min(maxTimeoutSeconds, Math.max(1, Math.ceil(seconds)));
}
