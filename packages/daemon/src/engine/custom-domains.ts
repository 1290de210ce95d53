import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Deps } from '../deps.ts';
import { findHungLoops, watchedPatiently } from './hung-loops.ts';
import { startLoop } from './loop.ts';

/** Milliseconds in which a page that is deleted, or a domain that is taken off it, stops being served. */
const refreshEvery = 1000;
/** Milliseconds between looks at what is due. */
const lookEvery = 1000;

/**
 * Keeps custom domains, in two loops, for name servers may take their time:
 * 1. Take over which names are served; order the certificates they lack, let go of those that nobody needs.
 * 2. Look where the domains that are due point: each minute until they point here, each hour from then on.
 */
export function startCustomDomains(
  deps: Pick<Deps, 'clock' | 'log'>,
  domains: Pick<CustomDomains, 'refresh' | 'lookAtDue'>,
): { stop(): Promise<unknown>; warnings(): string[] } {
  const loops = [
    watchedPatiently(
      'custom domains',
      startLoop(deps, 'custom domains', async () => {
        await domains.refresh();
        return refreshEvery;
      }),
    ),
    watchedPatiently(
      'looks at custom domains',
      startLoop(deps, 'looks at custom domains', async () => ((await domains.lookAtDue()) ? 0 : lookEvery)),
    ),
  ];
  return {
    stop: () => Promise.all(loops.map(({ loop }) => loop.stop())),
    warnings: () => findHungLoops(loops).warnings,
  };
}
