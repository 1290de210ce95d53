import type { Generations } from '../core/generations.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { type StateColumns, type StoredState, storedState, stateToRow } from '../store/monitor-state-row.ts';
import { type Executor, prepareForNumbers, prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';

/** A monitor with its state, loaded before the checks of a batch are applied to it. */
export interface LoadedMonitor extends Generations {
  monitor: number;
  state: StoredState;
  /** The latest certificate that a check saw, as JSON. */
  certificate: string | null;
}

/** Reads and writes the states of many monitors at once. */
export interface MonitorStates {
  /**
   * Loads the states of these monitors in one round trip, and locks the states in the order of the monitors. Leaves out
   * deleted monitors.
   */
  load(trip: Executor, monitors: readonly number[]): Promise<Map<number, LoadedMonitor>>;
  /** Writes the columns that a check can change without a change of status. */
  write(trx: Executor, monitors: readonly Pick<LoadedMonitor, 'monitor' | 'state'>[]): Promise<void>;
}

type ChangedColumns = Pick<
  StateColumns,
  'failures' | 'failing_since' | 'regions' | 'error_code' | 'error_message' | 'last_checked_at' | 'unobserved_since'
> & { monitor: number };

export function createMonitorStates(store: Store): MonitorStates {
  // The rows are locked. Otherwise `write` could overwrite what an edit or a result of another region has changed after
  // the load.
  const loadStates = prepareForNumbers(store, (db, isGiven) =>
    db
      .selectFrom('monitor_state')
      .selectAll()
      .where(isGiven('monitor'))
      .orderBy('monitor')
      .modifyEnd(store.dialect.forUpdate),
  );
  // A second statement reads the generations. It runs after the rows are locked, so it sees the edits that the lock had
  // to wait for.
  const loadGenerations = prepareForNumbers(store, (db, isGiven) =>
    db.selectFrom('monitor').select(['seq', 'generation', 'target_generation']).where(isGiven('seq')),
  );
  const writeStates = prepareStateWrites(store);

  return {
    async load(trip, monitors) {
      const given = [...new Set(monitors)];
      const [rows, current] = await Promise.all([loadStates(trip, given), loadGenerations(trip, given)]);
      const generationsOf = new Map(current.map((row) => [row.seq, row]));
      const loaded = new Map<number, LoadedMonitor>();
      for (const row of rows) {
        const { monitor, certificate } = row;
        const generations = generationsOf.get(monitor);
        if (!generations) continue;
        const { generation, target_generation: targetGeneration } = generations;
        loaded.set(monitor, { monitor, generation, targetGeneration, state: storedState(row), certificate });
      }
      return loaded;
    },
    async write(trx, monitors) {
      if (monitors.length > 0) await writeStates(trx, monitors.map(toRow));
    },
  };
}

/** Prepares the statement that writes the columns of `ChangedColumns`. */
const prepareStateWrites = (store: Store) =>
  prepareForRows<ChangedColumns, unknown>(
    store,
    {
      monitor: 'long',
      failures: 'long',
      failing_since: 'long',
      regions: 'text',
      error_code: 'text',
      error_message: 'text',
      last_checked_at: 'long',
      unobserved_since: 'long',
    },
    (db, given) =>
      db
        .updateTable('monitor_state')
        .from(given)
        .set((set) => ({
          failures: set.ref('given.failures'),
          failing_since: set.ref('given.failing_since'),
          regions: set.ref('given.regions'),
          error_code: set.ref('given.error_code'),
          error_message: set.ref('given.error_message'),
          last_checked_at: set.ref('given.last_checked_at'),
          unobserved_since: set.ref('given.unobserved_since'),
        }))
        .whereRef('monitor_state.monitor', '=', 'given.monitor'),
  );

function toRow({ monitor, state }: { monitor: number; state: MonitorState }): ChangedColumns {
  const row = stateToRow(state);
  return {
    monitor,
    failures: row.failures,
    failing_since: row.failing_since,
    regions: row.regions,
    error_code: row.error_code,
    error_message: row.error_message,
    last_checked_at: row.last_checked_at,
    unobserved_since: row.unobserved_since,
  };
}
