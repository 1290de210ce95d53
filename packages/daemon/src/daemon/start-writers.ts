import { type Closers, createClosers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { startCustomDomains } from '../engine/custom-domains.ts';
import { startEngine } from '../engine/engine.ts';
import { engineOptions } from './engine-options.ts';
import { finishUpgrade } from './finish-upgrade.ts';
import type { Parts } from './open-parts.ts';
import type { Overrides } from './overrides.ts';
import type { Started } from './started.ts';

/**
 * Starts the loops that write to the store without a request, and the upgrade of stored data. Resolves with the
 * functions that stop them.
 */
export async function startWriters(
  deps: Deps & { clock: SteadyClock },
  config: Config,
  parts: Parts,
  { overrides, started }: { overrides: Overrides; started: Started },
): Promise<Closers> {
  const closers = createClosers();
  const engine = await startEngine(deps, engineOptions(config, parts, overrides));
  started.engine = engine;
  closers.add(async () => {
    await engine.stop();
    started.engine = null;
  });
  const domainLoops = startCustomDomains(deps, parts.domains, config.roles);
  started.domainLoops = domainLoops;
  closers.add(async () => {
    await domainLoops.stop();
    started.domainLoops = null;
  });
  closers.add(finishUpgrade(deps, parts.store, parts.vault));
  return closers;
}
