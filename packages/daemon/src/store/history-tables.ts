import type { Generated, Insertable } from 'kysely';
import type { CheckErrorCode, MonitorStatus } from '@uptime/sdk/contract';

/** The results of checks, in as few bytes as possible. */
export interface ResultTable {
  monitor: number;
  at: number;
  region: number;
  /** Verdict, error and status code in one number: see store/result-code.ts. */
  code: number;
  /** Response time in tenths of a millisecond; null if the target did not answer. */
  tenths: number | null;
}

/**
 * Results that are not in `result` yet. SQLite stores new results here, because in this table the rows of many monitors
 * share a page. About a minute later, the results are added to the hourly counts. About an hour later, they move to
 * `result`, so that many results of one monitor are written there together.
 */
export interface RecentResultTable extends ResultTable {
  /** The result slot. It has the results of a few seconds, so that a commit writes few pages. */
  slot: number;
}

/**
 * The result slots of `recent_result`. The number of a result slot is its start in epoch seconds. Each number is higher
 * than all earlier numbers, even if the clock was set back.
 */
export interface ResultSlotTable {
  slot: number;
}

/** How far the recent results are folded, that is, added to the counts or moved. One row for each `FoldName`. */
export interface ResultFoldTable {
  name: FoldName;
  /** The results of all monitors are folded up to this result slot. */
  done: number;
  /** The running pass folds up to this result slot, monitor by monitor. Between two passes, this equals `done`. */
  target: number;
  /** The number of the last monitor whose results the running pass has folded. */
  position: number;
}

/** `counts` adds results to `check_hour` and `response_histogram`. `results` moves results to `result`. */
export type FoldName = 'counts' | 'results';

/**
 * Details of a result for which the table `result` has no columns. The details of a failure are kept as long as the
 * result. The details of other results are kept for a day.
 */
export interface ResultDetailTable {
  monitor: number;
  at: number;
  region: number;
  error_message: string | null;
  /** How long the phases dns, connect, tls, firstByte and download took, in milliseconds, as a JSON array. */
  timings: string | null;
}

/** The number of checks of a monitor in an hour; `hour` is epoch milliseconds / 3,600,000. */
export interface CheckHourTable {
  monitor: number;
  hour: number;
  region: number;
  checks: number;
  failed: number;
  /** Sum of the response times of passed checks, in tenths of a millisecond. */
  tenths_sum: number;
}

/** How many passed checks of an hour fell into each logarithmic bucket of response time. */
export interface ResponseHistogramTable {
  monitor: number;
  hour: number;
  bucket: number;
  count: number;
  /** Sum of the response times of these checks, in tenths of a millisecond. */
  tenths_sum: number;
}

/**
 * How long a monitor was up, down and in maintenance during an hour or a day, in milliseconds. `period` is the number
 * of the hour or day since the epoch.
 */
export interface ObservedTable {
  monitor: number;
  period: number;
  up_ms: number;
  down_ms: number;
  maintenance_ms: number;
}

/** The history that was imported for a monitor from another program: see kuma-history/. */
export interface ImportedHistoryTable {
  monitor: number;
  /** The imported history begins here, in epoch milliseconds. */
  from_at: number;
  /** The imported history ends here, and the next import begins here. */
  until_at: number;
}

export interface StatusChangeTable {
  id: Generated<number>;
  monitor: number;
  at: number;
  from_status: MonitorStatus;
  to_status: MonitorStatus;
  error_code: CheckErrorCode | null;
  error_message: string | null;
}

/**
 * An outage of a monitor. It opens when the status becomes `down`. It closes when the monitor recovers, is paused or is
 * deleted. Alerts refer to the outage.
 */
export interface OutageTable {
  id: string;
  monitor: number;
  opened_at: number;
  /** The time of the first failure in the series of failures that led to the outage. */
  failing_since: number;
  closed_at: number | null;
  close_reason: 'recovered' | 'paused' | 'deleted' | null;
  error_code: CheckErrorCode | null;
  error_message: string | null;
}

export interface PingTable {
  id: Generated<number>;
  monitor: number;
  at: number;
  kind: 'success' | 'failure' | 'start';
  exit_code: number | null;
  duration_ms: number | null;
  metrics: string | null;
}

/** When each daemon was last alive. The time in which none was alive is an absence. */
export interface PresenceTable {
  instance: string;
  region: number;
  started_at: number;
  alive_at: number;
  /** When the daemon stopped cleanly; null while the daemon runs, and after a crash. */
  ended_at: Generated<number | null>;
  /** How many runs in a row, just before this run, crashed within a minute of their start. */
  short_runs: Generated<number>;
  /** The roles of the daemon: see core/roles.ts. */
  roles: Generated<string>;
  /** The latest absences that the daemon knows, as JSON: see `Absences` in core/absence.ts. */
  absences: Generated<string>;
}

export type NewPing = Insertable<PingTable>;
