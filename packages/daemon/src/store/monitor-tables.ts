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
  /** When the key expires; null if it never expires. */
  expires_at: number | null;
  /** When the key was last used, to the minute; null if it was never used. */
  last_used_at: number | null;
  created_at: number;
}

export interface MonitorTable {
  /** The number by which other tables refer to the monitor. A number is never reused. */
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
   * lower number changes no status and no schedule.
   */
  generation: number;
  /**
   * The generation of the latest edit of the target, or of the latest resume. The result of a check that began with a
   * lower number is not stored.
   */
  target_generation: Generated<number>;
  /** The secret in a heartbeat's ping address. */
  token: string | null;
  /**
   * 1 while the account has more monitors than its plan allows, and this monitor is paused for that reason. It is then
   * paused even if `paused` in its config is false.
   */
  plan_paused: Generated<number>;
  /** For a monitor that names no regions: how many regions may check it. Null if no plan limits this number. */
  region_limit: Generated<number | null>;
  /** The size of the monitor in bytes, as core/stored-size.ts counts it. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/**
 * The present state of each monitor, in one row. On a server, only the folders `recording` and `lifecycle` change the
 * status.
 */
export interface MonitorStateTable {
  monitor: number;
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** The time of the first failure in the present series of failures; null if the last check round did not fail. */
  failing_since: number | null;
  /** The latest result of each region, as JSON: see core/monitor-state.ts. */
  regions: string;
  error_code: CheckErrorCode | null;
  error_message: string | null;
  last_checked_at: number | null;
  last_ping_at: number | null;
  /** For a heartbeat: when the present run of its job began, according to the `/start` ping; null between runs. */
  run_started_at: number | null;
  /** For a heartbeat: how long it may be silent, in milliseconds. */
  allowed_silence_ms: number | null;
  /** For a heartbeat: when its status becomes `down`, unless a ping comes before. */
  ping_due_at: number | null;
  /**
   * For a heartbeat: when engine/heartbeats.ts next reads the state, at `ping_due_at` or before. Pings do not change
   * this column, because it has an index. If pings have come in the meantime, engine/heartbeats.ts sets this column to
   * `ping_due_at`.
   */
  silence_review_at: number | null;
  /** When watching began: at the monitor's creation, its latest resume, or the latest edit of its target. */
  watched_since: number;
  /**
   * Since when the monitor has not been observed: no region could check it, or no region has reported. Null while
   * results arrive. The uptime leaves out the time in which the monitor was not observed.
   */
  unobserved_since: number | null;
  /** observed_hour and observed_day contain the time up to this moment. */
  rolled_up_until: number;
  /**
   * The times before `rolled_up_until` in which no region reported, as JSON: see core/unobserved-times.ts. The uptime
   * leaves them out, unless late results of a probe cover them. Empty for monitors that only daemons check.
   */
  unobserved: Generated<string>;
  /** The certificate last seen, as JSON. */
  certificate: string | null;
  /** The registrable domain of the monitor's host name: see `DomainRegistrationTable`. */
  domain: string | null;
  /**
   * When the alerts of the monitor are reviewed next. A review is due when a certificate or domain gets close to its
   * expiry, or when the last review was not finished. The value 0 means "at once". After a failed round, the value is
   * -1 until the review is finished: see alerting/load-facts.ts.
   */
  expiry_review_at: number | null;
}

/**
 * When each monitor is due in each region. On PostgreSQL, checkers claim rows in batches and hold them by leases. On
 * SQLite, the daemon keeps times and claims in memory, and a row says only since when the monitor is scheduled.
 */
export interface ScheduleTable {
  monitor: number;
  region: number;
  next_at: number;
  /** The time until which a checker has claimed the row; 0 if no checker has claimed it. Always 0 on SQLite. */
  lease_until: number;
  /** The number of the latest claim. Each claim has a higher number than all earlier claims. Always 0 on SQLite. */
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
  /**
   * If all daemons and probes of the region are silent: when one of them last reported. Null while at least one
   * reports.
   */
  silent_since: Generated<number | null>;
  /** The value of `seen_at` when the operator retired the region: see lifecycle/retire-region.ts. */
  retired_at: Generated<number | null>;
  /**
   * How often monitors, tokens and the like have named the region since it was added. Counted only until a daemon or a
   * probe serves the region: see lifecycle/regions.ts.
   */
  naming_count: Generated<number>;
}

/** Deleted monitors whose results the daemon still has to delete. */
export interface PurgeTable {
  monitor: number;
  /**
   * When the monitor was created, or when its imported history begins. No result is older than this time, so the
   * deletion of results begins at this time. 0 if the time is unknown.
   */
  created_at: Generated<number>;
}

/** A domain's registration as its registry reported it, stored once for all monitors of the domain. */
export interface DomainRegistrationTable {
  name: string;
  /** When the registry is next asked for the registration. */
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
