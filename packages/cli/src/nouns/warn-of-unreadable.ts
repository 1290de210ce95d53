import type { Monitor } from '@uptime/sdk';
import { plain } from '../output.ts';

/** Most monitors with unreadable secrets that a list names. */
const mostNamed = 3;

/** Warns of monitors whose secrets the server cannot read: it does not check them, so their status is old. */
export function warnOfUnreadable(monitors: readonly Monitor[]): string[] {
  const unreadable = monitors.flatMap((monitor) =>
    'secretsError' in monitor && monitor.secretsError !== null ? [{ ...monitor, why: monitor.secretsError }] : [],
  );
  const named = unreadable
    .slice(0, mostNamed)
    .map(({ name, status, why }) => `${plain(name)} is not checked, and its status ${status} is old. ${plain(why)}`);
  const more = unreadable.length - mostNamed;
  return more > 0 ? [...named, `the secrets of ${more} more monitors cannot be read`] : named;
}
