import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Deps } from '../deps.ts';
import { findHungLoops, watchedPatiently } from './hung-loops.ts';
import { startLoop } from './loop.ts';

/** Time until a deleted page, or a domain removed from its page, is no longer served. */
const refreshEveryMs = 1000;
/** Time between looks at due domains. */
const lookEveryMs = 1000;

/**
 * Maintains custom domains, in two loops because name servers may be slow:
 * 1. Load the served names, order missing certificates, and drop unneeded ones.
 * 2. Look where due domains point: each minute until they point here, then each hour.
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
        return refreshEveryMs;
      }),
    ),
    watchedPatiently(
      'looks at custom domains',
      startLoop(deps, 'looks at custom domains', async () => ((await domains.lookAtDue()) ? 0 : lookEveryMs)),
    ),
  ];
  return {
    stop: () => Promise.all(loops.map(({ loop }) => loop.stop())),
    warnings: () => findHungLoops(loops).warnings,
  };
}
