import type { MonitorVault, OpenedMonitor } from '../stored-monitors/monitor-vault.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';

/** A monitor as it is now, with its secrets. */
export interface LoadedMonitor extends OpenedMonitor {
  generation: number;
  plan_paused: number;
  project_id: string;
}

/** Loads a monitor and opens its secrets; undefined if it was deleted. */
export type LoadMonitor = (monitor: number) => Promise<LoadedMonitor | undefined>;

export function createMonitorLoader(store: Store, vault: Pick<MonitorVault, 'open'>): LoadMonitor {
  const select = prepare(store, (db, p: { monitor: number }) =>
    db
      .selectFrom('monitor')
      .select(['id', 'type', 'key', 'name', 'config', 'generation', 'plan_paused', 'project_id'])
      .where('seq', '=', p.monitor),
  );
  return async (monitor) => {
    const [row] = await select(store.db, { monitor });
    return row && { ...row, ...vault.open(row) };
  };
}
