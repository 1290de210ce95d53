import type { Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { ResultTable, Tables } from '../store/tables.ts';
import { createMonitorStates } from './monitor-states.ts';
import type { QuietChecks } from './quiet-checks.ts';
import { createResultInsertion } from './write-results.ts';

/**
 * Creates the function that copies recent results to the table `result`, except those of deleted monitors. It also
 * writes the time of each monitor's latest check to the monitor's state.
 */
export function createResultMoving(
  store: Store,
  quiet: Pick<QuietChecks, 'withTimes'>,
): (trx: Transaction<Tables>, results: readonly ResultTable[]) => Promise<void> {
  const states = createMonitorStates(store);
  const insertResults = createResultInsertion(store);
  return async (trx, results) => {
    const monitors = await states.load(
      trx,
      results.map(({ monitor }) => monitor),
    );
    await insertResults(
      trx,
      results.filter(({ monitor }) => monitors.has(monitor)),
    );
    const changed = [];
    for (const { monitor, state } of monitors.values()) {
      const latest = quiet.withTimes(monitor, state);
      if (latest.lastCheckedAt !== state.lastCheckedAt || latest.regions !== state.regions)
        changed.push({ monitor, state: latest });
    }
    await states.write(trx, changed);
  };
}
