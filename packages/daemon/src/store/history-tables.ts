import type { Generated, Insertable } from 'kysely';
import type { CheckErrorCode, MonitorStatus } from '@uptime/sdk/contract';

/** The results of checks, in as few bytes as possible. */
export interface ResultTable {
  monitor: number;
  at: number;
  region: number;
  /** Verdict, error and status code in one number: see store/result-code. */
  code: number;
  /** Response time in tenths of a millisecond; null if the target did not answer. */
  tenths: number | null;
}

/**
 * Results that are not in `result` yet. SQLite stores new results here, because in this table the rows of many monitors
 * share a page. The results are counted about a minute later. About an hour later they move to `result`, so that many
 * results of one monitor are written there together.
 */
export interface RecentResultTable extends ResultTable {
  /** A slot holds the results of some seconds, so that a commit writes few pages. */
  slot: number;
}

/**
 * The slots of `recent_result`. A slot's number is its start in epoch seconds. Each number is higher than all earlier
 * ones, even if the clock was set back.
 */
export interface ResultSlotTable {
  slot: number;
}

/** How far the recent results are folded, that is counted or moved: one row for each `FoldName`. */
export interface ResultFoldTable {
  name: FoldName;
  /** The results of all monitors are folded up to this slot. */
  done: number;
  /** The running pass folds up to this slot, monitor by monitor. Equal to `done` between passes. */
  target: number;
  /** The running pass has folded the results of the monitors up to this one. */
  position: number;
}

/** `counts`: results are added to `check_hour` and `response_histogram`. `results`: they move to `result`. */
export type FoldName = 'counts' | 'results';

/**
 * Details that do not fit in a result's row. Those of failures are kept as long as the result, those of other results
 * for a day.
 */
export interface ResultDetailTable {
  monitor: number;
  at: number;
  region: number;
  error_message: string | null;
  /** How long the phases dns, connect, tls, firstByte and download took, in milliseconds, as a JSON array. */
  timings: string | null;
}

/** Checks of a monitor in an hour; `hour` is epoch milliseconds / 3,600,000. */
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
  /** Sum of their response times, in tenths of a millisecond. */
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

/** The history that a monitor took over from another program: see kuma-history. */
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

/** An outage of a monitor, from its change to `down` to its end. Alerts refer to it. */
export interface EpisodeTable {
  id: string;
  monitor: number;
  opened_at: number;
  /** When the run of failures began that led to the outage. */
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
  /** When it stopped cleanly; null while it runs, and after a crash. */
  ended_at: Generated<number | null>;
  /** How many runs in a row before this one crashed within a minute of their start. */
  short_runs: Generated<number>;
  /** Its roles: see core/roles. */
  roles: Generated<string>;
}

export type NewPing = Insertable<PingTable>;
