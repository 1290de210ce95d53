import type { Monitor } from '@uptime/sdk';
import { secretsErrorOf } from '@uptime/sdk/contract';
import { plain } from '../../output.ts';

/** Maximum number of monitors with unreadable secrets that are named one by one. */
const maxNamed = 3;

/**
 * Returns warnings about monitors whose secrets the server cannot read. The server does not check these monitors, so
 * their status is outdated.
 */
export function warnOfUnreadable(monitors: readonly Monitor[]): string[] {
  const unreadable = monitors.flatMap((monitor) => {
    const why = secretsErrorOf(monitor);
    return why === null ? [] : [{ ...monitor, why }];
  });
  const named = unreadable
    .slice(0, maxNamed)
    .map(
      ({ name, status, why }) => `${plain(name)} is not checked, so its status (${status}) is outdated. ${plain(why)}`,
    );
  const more = unreadable.length - maxNamed;
  return more > 0 ? [...named, `the secrets of ${more} more monitors cannot be read`] : named;
}
