import type { Generated, Insertable, Selectable } from 'kysely';
import type {
  ChannelType,
  CheckErrorCode,
  IncidentStatus,
  MonitorStatus,
  MonitorType,
  Trigger,
} from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';
import type { GatewayKind } from '../core/message-budget.ts';
import type { DeliveryKind } from '../core/message-form.ts';
import type { SubscriptionStatus } from '../core/subscription.ts';

/**
 * The tables, the same on SQLite and PostgreSQL. Ids that people see are text, keys of large tables are integers. Times
 * are epoch milliseconds, booleans 0 and 1, JSON is text. better-auth keeps its own tables beside these.
 */
export interface Tables {
  project: ProjectTable;
  monitor: MonitorTable;
  monitor_state: MonitorStateTable;
  schedule: ScheduleTable;
  region: RegionTable;
  result: ResultTable;
  result_detail: ResultDetailTable;
  check_hour: CheckHourTable;
  response_histogram: ResponseHistogramTable;
  observed_hour: ObservedTable;
  observed_day: ObservedTable;
  status_change: StatusChangeTable;
  episode: EpisodeTable;
  ping: PingTable;
  idempotency: IdempotencyTable;
  presence: PresenceTable;
  purge: PurgeTable;
  channel: ChannelTable;
  rule: RuleTable;
  rule_monitor: RuleMonitorTable;
  rule_channel: RuleChannelTable;
  alert: AlertTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  paging_incident: PagingIncidentTable;
  domain_registration: DomainRegistrationTable;
  incident: IncidentTable;
  incident_update: IncidentUpdateTable;
  incident_monitor: IncidentMonitorTable;
  status_page: StatusPageTable;
  status_page_monitor: StatusPageMonitorTable;
  plan: PlanTable;
  account_lock: AccountLockTable;
  subscription: SubscriptionTable;
  billing_event: BillingEventTable;
  invitation: InvitationTable;
  sign_up_closed: SignUpClosedTable;
  disabled_account: DisabledAccountTable;
  message_budget: MessageBudgetTable;
  address_codes: AddressCodesTable;
}

export interface ProjectTable {
  id: string;
  user_id: string;
  name: string;
  api_key: string;
  created_at: number;
  updated_at: number;
}

export interface MonitorTable {
  /** The integer key of its results; never reused after a delete. */
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  type: MonitorType;
  /** All other create fields, defaults filled in. */
  config: string;
  /** Counts up when the target is edited. A result of an older generation is ignored. */
  generation: number;
  /** The secret in a heartbeat's ping address. */
  token: string | null;
  /** 1 while it is paused because the plan has no room for it, whatever its own `paused` says. */
  plan_paused: Generated<number>;
  /** The most regions that check it if it names none; null if no plan limits it. */
  region_limit: Generated<number | null>;
  /** Its size: see core/stored-size. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The state from which the verdict is computed. One row for each monitor, written only by `recording` and `lifecycle`. */
export interface MonitorStateTable {
  monitor: number;
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** When the run of failures began. */
  failing_since: number | null;
  /** The latest result of each region, as JSON: see core/verdict. */
  regions: string;
  error_code: CheckErrorCode | null;
  error_message: string | null;
  last_checked_at: number | null;
  last_ping_at: number | null;
  /** When a run began by `/start` that has not ended yet. */
  run_started_at: number | null;
  /** For a heartbeat: how long it may be silent. */
  allowed_silence_ms: number | null;
  /** For a heartbeat: when silence makes it down. */
  ping_due_at: number | null;
  /**
   * For a heartbeat: when its silence is judged next, at `ping_due_at` or before. It is indexed, so pings do not move
   * it; it moves only when its time has come.
   */
  silence_review_at: number | null;
  /** When watching began: at its creation, a resume, or an edit of its target. */
  watched_since: number;
  /** Since when the checker itself has been unable to check. This time counts in no uptime. */
  blind_since: number | null;
  /** Time up to here is in observed_hour and observed_day. */
  accounted_until: number;
  /** The certificate last seen, as JSON. */
  certificate: string | null;
  /** The registrable domain of its host name: see domain_registration. */
  domain: string | null;
  /** When a fact about certificate or domain changes because time passes: a threshold or an expiry. */
  expiry_review_at: number | null;
}

/** When each monitor is due in each region. Checkers claim rows in batches by compare-and-swap on the lease. */
export interface ScheduleTable {
  monitor: number;
  region: number;
  next_at: number;
  /** 0, or until when a checker holds it. */
  lease_until: number;
  /** The monitor's project, so that claims can be shared by project. */
  project: Generated<string>;
}

export interface RegionTable {
  id: Generated<number>;
  name: string;
  seen_at: number;
}

/** Every check, in as few bytes as possible. */
export interface ResultTable {
  monitor: number;
  at: number;
  region: number;
  /** Verdict, error and status code in one number: see store/result-code. */
  code: number;
  /** Response time in tenths of a millisecond; null if the target did not answer. */
  tenths: number | null;
}

/** Details that do not fit in a result's row. They are kept for failures, and for a day for other results. */
export interface ResultDetailTable {
  monitor: number;
  at: number;
  region: number;
  error_message: string | null;
  /** dns, connect, tls, firstByte, download in milliseconds, as a JSON array. */
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

/** Time observed, in milliseconds; `period` is the hour's or the day's number since the epoch. */
export interface ObservedTable {
  monitor: number;
  period: number;
  up_ms: number;
  down_ms: number;
  maintenance_ms: number;
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

/** An outage of a monitor, from its verdict `down` to its end. Alerts refer to it. */
export interface EpisodeTable {
  id: string;
  monitor: number;
  opened_at: number;
  /** The first failed check of the run that opened it. */
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

/** The answer to the first request with an Idempotency-Key, without what that request says itself: see http/kept-answer. */
export interface IdempotencyTable {
  scope: string;
  key: string;
  /** The id of the project, or of the account where the request is about none. */
  owner: Generated<string>;
  request_hash: string;
  status: number;
  body: string;
  bytes: Generated<number>;
  created_at: number;
}

/** When each daemon was last alive. A gap between two signs of life counts as an absence. */
export interface PresenceTable {
  instance: string;
  region: number;
  started_at: number;
  alive_at: number;
  /** When it stopped cleanly; null while it runs, and after a crash. */
  ended_at: Generated<number | null>;
  /** How many runs in a row before this one crashed within a minute of their start. */
  short_runs: Generated<number>;
}

/** Deleted monitors whose results are still to be removed, in pieces. */
export interface PurgeTable {
  monitor: number;
  /** When the monitor was created, so that no result is older; 0 if unknown. */
  created_at: Generated<number>;
}

/** A channel, to which alerts are sent. */
export interface ChannelTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  type: ChannelType;
  /** The config as JSON, sealed: see store/seal. */
  config: string;
  last_sent_at: number | null;
  /** Why the latest message did not arrive; null if it did. */
  last_error: string | null;
  /** 0, or until when its provider asked to wait. */
  wait_until: Generated<number>;
  /** How often in a row its provider limited the rate. */
  limits: Generated<number>;
  /** Which limit of messages holds it until `wait_until`, as a sentence; null when none has since it was last free. */
  held_why: Generated<string | null>;
  /** Keyed digest of its address, for the types that go through a gateway of the operator. */
  address_digest: Generated<string | null>;
  /** When that address was confirmed, or taken as confirmed because the server asked for no code. */
  confirmed_at: Generated<number | null>;
  /** Keyed digest of the latest code that was sent to the address; null when there is none to be entered. */
  code_digest: Generated<string | null>;
  code_until: Generated<number | null>;
  /** How often a wrong code was entered since the latest was sent. */
  code_tries: Generated<number>;
  /** Its size: see core/stored-size. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface RuleTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  trigger: Trigger;
  consecutive_failures: number;
  notify_on_recovery: number;
  /** Seconds; null for no reminders. */
  reminder_interval: number | null;
  /** 1 if a rule about outages also reports certificates and domains that no rule of their own watches. */
  expiry_alerts: Generated<number>;
  enabled: number;
  /** Its size with its members: see core/stored-size. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The monitors of a rule, in order. */
export interface RuleMonitorTable {
  rule: number;
  monitor: number;
  position: number;
}

/** The channels of a rule, in order. */
export interface RuleChannelTable {
  rule: number;
  channel: number;
  position: number;
}

/**
 * One fault reported to one channel by one rule. An alert about a domain moves to another monitor of that domain, or to
 * another rule, when its own no longer watches. Names are stored, so that they stay readable after a delete.
 */
export interface AlertTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  rule: number;
  rule_id: string;
  rule_name: string;
  monitor: number;
  monitor_id: string;
  monitor_name: string;
  channel: number;
  channel_id: string;
  channel_name: string;
  type: Trigger;
  /** Identifies the fault: the outage's id, the certificate's fingerprint, the domain's expiry date. */
  subject: string;
  /** When the fault began. */
  failing_since: number;
  triggered_at: number;
  resolved_at: number | null;
  /** Why it was resolved; null while it is open. */
  end_reason: Generated<ResolveReason | null>;
  /** 1 once an alarm, or a reminder instead of it, arrived. Then the recovery is sent too. */
  told: Generated<number>;
  /** Status of the alarm's delivery. */
  delivery_status: DeliveryStatus;
  error: string | null;
  /** When the next reminder is due; null for none. */
  remind_at: number | null;
}

export type DeliveryStatus = 'pending' | 'sent' | 'failed';

/** The outbox: one message to one channel, written in the same transaction as its cause. */
export interface DeliveryTable {
  /** Messages of one lane are sent in this order. */
  seq: Generated<number>;
  id: string;
  /** The alert's seq. */
  alert: number;
  channel: number;
  /** Within a lane, a message waits for earlier ones; see alerting/deliveries/lane. */
  lane: string;
  kind: DeliveryKind;
  /** The message's content, as JSON: see channels/notice. */
  notice: string;
  status: DeliveryStatus;
  /** Failures that the back-off counts. */
  attempts: Generated<number>;
  /** Refusals in a row. */
  refusals: Generated<number>;
  /** When its latest attempt ended. */
  tried_at: Generated<number | null>;
  /** When it was first tried since it was queued. */
  tried_since: number | null;
  /**
   * When it is due. Null while it waits for earlier messages in its lane; while a sender holds it, the time when that
   * claim lapses.
   */
  next_at: number | null;
  /** 0, or until when a sender holds it. */
  lease_until: Generated<number>;
  created_at: number;
  finished_at: number | null;
}

export interface DeliveryAttemptTable {
  /** The delivery's seq. */
  delivery: number;
  at: number;
  duration_ms: number;
  status: number | null;
  /** The provider's answer without secrets, at most 200 characters. */
  text: string;
}

/**
 * An incident that a paging service keeps open until it is closed, under the config that opened it. The row outlives
 * alert, channel and project, and engine/closings then closes the incident.
 */
export interface PagingIncidentTable {
  seq: Generated<number>;
  /** The id of the delivery that closes it, if no row of the outbox does. */
  id: string;
  /** The alert's seq. */
  alert: number;
  /** The channel's id, for which the config is sealed. */
  channel_id: string;
  type: ChannelType;
  config: string;
  /** The alarm as JSON, from which the closing message is made. */
  notice: string;
  /** 0 while it is unknown whether the alarm arrived. */
  certain: Generated<number>;
  attempts: Generated<number>;
  refusals: Generated<number>;
  tried_since: Generated<number | null>;
  /** The earliest time to close it. It is later while its alarm or its closing is being sent. */
  next_at: number;
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

/** Incidents and, with `maintenance`, planned work. */
export interface IncidentTable {
  seq: Generated<number>;
  id: string;
  /** The last part of its public address, made from its id by `publicId`; null until this version stores it. */
  public_id: Generated<string | null>;
  project_id: string;
  title: string;
  status: IncidentStatus;
  maintenance: number;
  /** 1 if it is about certain monitors, even if they were deleted since. Otherwise it is about all. */
  named: Generated<number>;
  /** Start of a window … */
  scheduled_start: number | null;
  /** … and its end, unless it was resolved earlier. */
  scheduled_end: number | null;
  started_at: number;
  resolved_at: number | null;
  /** Its size with its updates and monitors: see core/stored-size. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface IncidentUpdateTable {
  seq: Generated<number>;
  id: string;
  incident: number;
  status: IncidentStatus;
  message: string;
  created_at: number;
}

export interface IncidentMonitorTable {
  incident: number;
  monitor: number;
  position: number;
}

/** A public page. */
export interface StatusPageTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  slug: string;
  /** In lower case and punycode. */
  custom_domain: string | null;
  domain_status: 'pending' | 'active' | 'error' | null;
  domain_error: string | null;
  /** When the domain is looked at again; null without one. */
  domain_check_at: number | null;
  /**
   * When the domain last pointed here with the necessary proof; before that, when it was set. Null without a domain.
   */
  domain_pointed_at: number | null;
  description: string | null;
  home_url: string | null;
  icon_url: string | null;
  /** `#rrggbb`. */
  accent_color: string | null;
  /** The label by whose value its monitors are grouped. */
  group_by: string | null;
  /** Its size with its monitors: see core/stored-size. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The monitors of a page, in its order. */
export interface StatusPageMonitorTable {
  page: number;
  monitor: number;
  position: number;
}

/** A plan that an admin offers. */
export interface PlanTable {
  id: string;
  name: string;
  monitors: number;
  /** Seconds. */
  check_interval: number;
  regions: number;
  /** US cents a month. */
  price_cents: number;
  /** The other limits, by name, as JSON. An absent limit has its default. */
  limits: Generated<string>;
  /** When it was deleted; null while it is offered. */
  deleted_at: number | null;
}

/** A lock row for each account. Transactions that change an account's resources or limits lock it. */
export interface AccountLockTable {
  user_id: string;
}

/** A subscription at the payment provider, under the provider's id. It is computed from its events. */
export interface SubscriptionTable {
  id: string;
  /** Its user and its plan; null until an event has named them. */
  user_id: string | null;
  plan_id: string | null;
  status: SubscriptionStatus;
  period_start: number | null;
  period_end: number | null;
  /** When its first event happened. */
  since: number;
}

/** An event of the payment provider, processed once. */
export interface BillingEventTable {
  id: string;
  subscription: string;
  /** As JSON: see core/subscription. */
  event: string;
}

export type StatusPageRow = Selectable<StatusPageTable>;
export type { DeliveryKind } from '../core/message-form.ts';

export type ChannelRow = Selectable<ChannelTable>;
export type RuleRow = Selectable<RuleTable>;
export type AlertRow = Selectable<AlertTable>;
export type DeliveryRow = Selectable<DeliveryTable>;
export type PagingIncidentRow = Selectable<PagingIncidentTable>;
export type Project = Selectable<ProjectTable>;
export type MonitorRow = Selectable<MonitorTable>;
export type MonitorStateRow = Selectable<MonitorStateTable>;
export type NewPing = Insertable<PingTable>;

/** An invitation for one account, deleted after its use. */
export interface InvitationTable {
  /** SHA-256 in hex, so that readers of the database cannot use the code. */
  code_hash: string;
  /** The only address it is valid for, in lower case. */
  email: string | null;
  expires_at: number;
}

/** Has a row while the operator keeps sign-up closed. */
export interface SignUpClosedTable {
  since: number;
}

/** An account that the operator disabled: its keys and sessions are refused, its monitors are paused. */
export interface DisabledAccountTable {
  user_id: string;
  since: number;
}

/** How much of a limit of messages is used; a row that is missing is a full budget. See core/message-budget. */
export interface MessageBudgetTable {
  /** `server`, or `account`, `project`, `channel` or `codes` and an id. */
  owner: string;
  kind: GatewayKind;
  /** When it will be full again. */
  full_at: number;
}

/** The times of the last three codes to a mailbox or phone, from all accounts. */
export interface AddressCodesTable {
  /** Keyed digest: see core/address-spelling. */
  mailbox: string;
  latest_at: number;
  second_at: number | null;
  third_at: number | null;
}
