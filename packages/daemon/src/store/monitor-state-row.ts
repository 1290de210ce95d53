import type { MonitorState } from '../core/monitor-state.ts';
import type { UnobservedTime } from '../core/unobserved-times.ts';
import type { MonitorStateRow } from './tables.ts';

/** The columns of `monitor_state` that hold a `MonitorState`. The other columns are written separately. */
export type StateColumns = Omit<
  MonitorStateRow,
  'monitor' | 'allowed_silence_ms' | 'rolled_up_until' | 'unobserved' | 'certificate' | 'domain' | 'expiry_review_at'
>;

type StateRow = Omit<StateColumns, 'silence_review_at'>;

/** The up and down times of a monitor that the rollups (`observed_hour`, `observed_day`) contain. */
export interface RolledUp {
  /** The rollups contain the times before this one, except those in `unobserved`. */
  rolledUpUntil: number;
  /** Times before `rolledUpUntil` that the rollups lack, because no region had reported. */
  unobserved: readonly UnobservedTime[];
}

export type StoredState = MonitorState & RolledUp;

export const storedState = (row: StateRow & Pick<MonitorStateRow, 'rolled_up_until' | 'unobserved'>): StoredState => ({
  ...stateFromRow(row),
  rolledUpUntil: row.rolled_up_until,
  unobserved: row.unobserved === '[]' ? none : (JSON.parse(row.unobserved) as UnobservedTime[]),
});

const none: readonly UnobservedTime[] = [];

export function stateFromRow(row: StateRow): MonitorState {
  return {
    status: row.status,
    since: row.since,
    failures: row.failures,
    failingSince: row.failing_since,
    regions: JSON.parse(row.regions) as MonitorState['regions'],
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    lastCheckedAt: row.last_checked_at,
    watchedSince: row.watched_since,
    unobservedSince: row.unobserved_since,
    lastPingAt: row.last_ping_at,
    runStartedAt: row.run_started_at,
    pingDueAt: row.ping_due_at,
  };
}

export function stateToRow(state: MonitorState): StateColumns {
  return {
    status: state.status,
    since: state.since,
    failures: state.failures,
    failing_since: state.failingSince,
    regions: JSON.stringify(state.regions),
    error_code: state.error?.code ?? null,
    error_message: state.error?.message ?? null,
    last_checked_at: state.lastCheckedAt,
    watched_since: state.watchedSince,
    unobserved_since: state.unobservedSince,
    last_ping_at: state.lastPingAt,
    run_started_at: state.runStartedAt,
    ping_due_at: state.pingDueAt,
    silence_review_at: state.pingDueAt,
  };
}
