import type { Role } from '../core/roles.ts';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Deps } from '../deps.ts';
import { findHungLoops, watchedSlow } from './hung-loops.ts';
import { startLoop } from './loop.ts';

/**
 * Time between two loads of the served domains. After a page is deleted, or a domain is removed from its page, the page
 * may still be served on that domain for this long.
 */
const refreshEveryMs = 1000;
/** Time between two searches for due domains. */
const lookEveryMs = 1000;

/**
 * Maintains custom domains, in two loops because name servers may be slow:
 * 1. Load the domains to serve, order missing certificates, and drop certificates that are no longer needed.
 * 2. On a node with the role `housekeeping`, check where the DNS records of due domains point
 *    (custom-domains/watch-domains.ts).
 */
export function startCustomDomains(
  deps: Pick<Deps, 'clock' | 'log'>,
  domains: Pick<CustomDomains, 'refresh' | 'lookAtDue'>,
  roles: readonly Role[],
): { stop(): Promise<unknown>; warnings(): string[] } {
  const refresh = async () => {
    await domains.refresh();
    return refreshEveryMs;
  };
  const look = async () => ((await domains.lookAtDue()) ? 0 : lookEveryMs);
  const looks = roles.includes('housekeeping');
  const serves = looks || roles.includes('api');
  const loops = [
    ...(serves ? [watchedSlow('custom domains', startLoop(deps, 'custom domains', refresh))] : []),
    ...(looks ? [watchedSlow('looks at custom domains', startLoop(deps, 'looks at custom domains', look))] : []),
  ];
  return {
    stop: () => Promise.all(loops.map(({ loop }) => loop.stop())),
    warnings: () => findHungLoops(loops).warnings,
  };
}
