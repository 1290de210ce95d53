import type { LookupFunction } from 'node:net';
import type { CheckContext } from './check.ts';
import { startDeadline } from './deadline.ts';

/** Longest time for a lookup. */
const timeoutMs = 10_000;

/** Returns a function for the option `lookup` of `net.connect`. With it, a connection resolves names as checks do. */
export const createLookup =
  ({ clock, resolver }: Pick<CheckContext, 'clock' | 'resolver'>): LookupFunction =>
  (host, options, answer) => {
    const deadline = startDeadline(clock, timeoutMs);
    resolver
      .addresses(host, deadline)
      .finally(() => deadline.end())
      .then(
        (found) => {
          if (options.all) answer(null, [...found]);
          else answer(null, found[0]!.address, found[0]!.family);
        },
        (error: Error) => answer(error, ''),
      );
  };
