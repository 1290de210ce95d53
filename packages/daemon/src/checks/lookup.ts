import type { LookupFunction } from 'node:net';
import type { CheckContext } from './check.ts';
import { startDeadline } from './deadline.ts';

/** Longest time for a lookup. */
const timeoutMs = 10_000;

/** Lets other connections resolve names as checks do. The result is for the option `lookup` of `net.connect`. */
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
