import { recountStorage } from '../plans/recount-storage.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { runUpgradeStep } from '../store/upgrade-step.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { sealStoredMonitors } from '../stored-monitors/seal-stored-monitors.ts';

/**
 * Upgrades the data of earlier versions while the daemon serves. Returns a function that stops the upgrade and waits
 * until it has ended. If a step was stopped or failed, the next start continues it.
 */
export function finishUpgrade({ log }: Pick<Deps, 'log'>, store: Store, vault: MonitorVault): () => Promise<void> {
  const stopping = new AbortController();
  const run = async () => {
    for (const step of [sealStoredMonitors(vault), ...recountStorage]) {
      await runUpgradeStep(store, step, stopping.signal);
    }
  };
  const ended = run().catch((error: unknown) => log.error({ err: error }, 'an upgrade of stored data failed'));
  return async () => {
    stopping.abort();
    await ended;
  };
}
