import type { MonitorVault, OpenedMonitor } from '../stored-monitors/monitor-vault.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import { prepareForNumbers } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { MonitorRow } from '../store/tables.ts';

/** A monitor as it is now, with its secrets. */
export interface LoadedMonitor extends OpenedMonitor {
  generation: number;
  plan_paused: number;
  project_id: string;
}

/** Loads monitors and decrypts their secrets. Deleted monitors are missing in the result. */
export type LoadMonitors = (monitors: readonly number[]) => Promise<ReadonlyMap<number, LoadedMonitor>>;

/**
 * Creates the function that loads monitors. One statement loads all monitors of a call, except the fields of large
 * monitors, which are read in batches (`eachConfig`).
 */
export function createMonitorLoader(store: Store, vault: Pick<MonitorVault, 'open'>): LoadMonitors {
  const select = prepareForNumbers<StoredMonitor>(store, (db, isGiven) =>
    db
      .selectFrom('monitor')
      .select(['seq', 'id', 'type', 'key', 'name', 'generation', 'plan_paused', 'project_id'])
      .select(lightConfig)
      .where(isGiven('seq')),
  );
  return async (monitors) => {
    const rows = await select(store.db, monitors);
    const loaded = new Map<number, LoadedMonitor>();
    await eachConfig(store.db, rows, (row) => void loaded.set(row.seq, { ...row, ...vault.open(row) }));
    return loaded;
  };
}

type StoredMonitor = Pick<
  MonitorRow,
  'seq' | 'id' | 'type' | 'key' | 'name' | 'bytes' | 'generation' | 'plan_paused' | 'project_id'
> & { config: string | null };
