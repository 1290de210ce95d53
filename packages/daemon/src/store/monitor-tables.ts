import type { Generated, Selectable } from 'kysely';
import type { CheckErrorCode, KeyScope, MonitorStatus, MonitorType } from '@uptime/sdk/contract';

export interface ProjectTable {
  id: string;
  user_id: string;
  name: string;
  api_key: string;
  created_at: number;
  updated_at: number;
}

/** A key of a project for a machine, in addition to the project's own key. */
export interface ProjectKeyTable {
  id: string;
  project_id: string;
  /** Unique in the project. */
  name: string;
  scope: KeyScope;
  /** SHA-256 of the key, in hex. The key itself is not stored. */
  digest: string;
  /** Null if it never expires. */
  expires_at: number | null;
  /** To the minute; null if it was never used. */
  last_used_at: number | null;
  created_at: number;
}

export interface MonitorTable {
  /** The number by which other tables refer to the monitor; never reused after a delete. */
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  type: MonitorType;
  /** All other fields of a create request, with defaults filled in, as JSON. */
  config: string;
  /**
   * Counts up after an edit of target, regions or interval, and after a resume. The result of a check that began with a
   * lower number is ignored.
   */
  generation: number;
  /** The secret in a heartbeat's ping address. */
  token: string | null;
  /**
   * 1 while the account's plan has no room for the monitor. It is then paused, even if `paused` in its config is false.
   */
  plan_paused: Generated<number>;
  /** Maximum number of regions that check a monitor that names no regions; null if no plan limits it. */
  region_limit: Generated<number | null>;
  /** The size of the monitor in bytes, as core/stored-size counts it. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The present state of a monitor; one row each. On a server, only `recording` and `lifecycle` change the status. */
export interface MonitorStateTable {
  monitor: number;
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** When the run of failures began. */
  failing_since: number | null;
  /** The latest result of each region, as JSON: see core/monitor-state. */
  regions: string;
  error_code: CheckErrorCode | null;
  error_message: string | null;
  last_checked_at: number | null;
  last_ping_at: number | null;
  /** When the present run began, according to its `/start` ping; null between runs. */
  run_started_at: number | null;
  /** For a heartbeat: how long it may be silent, in milliseconds. */
  allowed_silence_ms: number | null;
  /** For a heartbeat: when it becomes down, unless a ping comes before. */
  ping_due_at: number | null;
  /**
   * For a heartbeat: when engine/heartbeats next reads it, at `ping_due_at` or before. Pings do not change this column,
   * because it is indexed. If pings have come until then, engine/heartbeats sets it to `ping_due_at`.
   */
  silence_review_at: number | null;
  /** When watching began: at the monitor's creation, its latest resume, or the latest edit of its target. */
  watched_since: number;
  /** Since when the checker itself has been unable to check. This time does not count in the uptime. */
  blind_since: number | null;
  /** Time up to here is in observed_hour and observed_day. */
  rolled_up_until: number;
  /** The certificate last seen, as JSON. */
  certificate: string | null;
  /** The registrable domain of its host name: see domain_registration. */
  domain: string | null;
  /**
   * When its alerts are reviewed next. A review is due when a certificate or domain gets close to its expiry, or when
   * the last review is not finished. The value is 0 if a review is due at once. After a failed round it is -1 until the
   * review is finished: see alerting/load-facts.
   */
  expiry_review_at: number | null;
}

/**
 * When each monitor is due in each region. On PostgreSQL, checkers claim rows in batches and hold them by leases. On
 * SQLite the daemon keeps times and claims in memory. A row says only since when the monitor is scheduled.
 */
export interface ScheduleTable {
  monitor: number;
  region: number;
  next_at: number;
  /** The time until which a checker holds it, or 0. Always 0 on SQLite. */
  lease_until: number;
  /** The number of the latest claim. Numbers grow, and none is used twice. Always 0 on SQLite. */
  claim: Generated<number>;
  /** Results of claims with a lower number are refused, because another process took over a lapsed lease. */
  first_claim: Generated<number>;
  /** The monitor's project, so that each project gets its share of the claims. */
  project: Generated<string>;
}

/**
 * Changes of `schedule` that the daemon has not read yet. On SQLite, triggers write these rows. On PostgreSQL, the
 * table is empty.
 */
export interface ScheduleChangeTable {
  seq: Generated<number>;
  monitor: number;
  region: number;
}

export interface RegionTable {
  id: Generated<number>;
  name: string;
  seen_at: number;
  /** When its daemons and probes last reported, if all are silent; null while one reports. */
  silent_since: Generated<number | null>;
}

/** Deleted monitors whose results are still to be removed, in pieces. */
export interface PurgeTable {
  monitor: number;
  /**
   * When the monitor was created, or when its imported history begins: no result is older, so the purge starts there. 0
   * if unknown.
   */
  created_at: Generated<number>;
}

/** A domain's registration as its registry reported it, stored once for all monitors on it. */
export interface DomainRegistrationTable {
  name: string;
  /** When the registry is asked again. */
  next_at: number;
  checked_at: number | null;
  expires_at: number | null;
  registrar: string | null;
  error: string | null;
}

export type Project = Selectable<ProjectTable>;

export type ProjectKeyRow = Selectable<ProjectKeyTable>;

export type MonitorRow = Selectable<MonitorTable>;

export type MonitorStateRow = Selectable<MonitorStateTable>;
