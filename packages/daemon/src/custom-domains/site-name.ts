import { hourMs } from '../core/uptime.ts';
import type { Clock } from '../deps.ts';
import type { OwnNames } from './own-names.ts';
import type { Direction } from './where-it-points.ts';

const minuteMs = 60_000;

/**
 * Creates the part that checks whether the site's name points to this server. A certificate is ordered for the name
 * only if the name points here.
 */
export function createSiteName(
  clock: Clock,
  {
    ownNames,
    isPublicHost,
    look,
  }: {
    ownNames: OwnNames;
    isPublicHost: (name: string) => boolean;
    look: (name: string) => Promise<Direction>;
  },
) {
  let seen: { name: string; here: boolean; until: number } | null = null;
  return {
    /** Returns the site's name if it points to this server; otherwise null. */
    here: (): string | null => (seen?.here === true && seen.name === ownNames.siteName() ? seen.name : null),
    /** If the last check is long enough ago, checks where the name points. Resolves with whether the result changed. */
    async lookIfDue(): Promise<boolean> {
      const name = ownNames.siteName();
      if (name === null) return false;
      const now = clock.now();
      if (seen?.name === name && now < seen.until) return false;
      const before = seen?.name === name && seen.here;
      // Custom domains point at the public host. So the public host counts as this server without a lookup, even if its
      // address is that of a proxy.
      const direction: Direction = isPublicHost(name) ? { points: 'here', by: 'address' } : await look(name);
      const here = direction.points === 'here' || (direction.points === 'unknown' && before);
      seen = { name, here, until: now + (here ? hourMs : minuteMs) };
      return here !== before;
    },
  };
}
