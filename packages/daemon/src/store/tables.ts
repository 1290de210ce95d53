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
 * The tables, the same on SQLite and PostgreSQL: text ids where people see them, integer keys where rows are many,
 * times in epoch milliseconds, booleans as 0 and 1, JSON as text. better-auth keeps its own tables beside these.
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
  /** The integer that results are kept under; never used again after a delete. */
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  name: string;
  type: MonitorType;
  /** All other create fields, defaults filled in. */
  config: string;
  /** Counts up when what is checked is edited: a result of an older generation is no evidence. */
  generation: number;
  /** The secret in a heartbeat's ping address. */
  token: string | null;
  /** 1 while it is paused because the plan has no room for it, whatever its own `paused` says. */
  plan_paused: Generated<number>;
  /** In how many regions it is checked at most when it names none; null where no plan limits anything. */
  region_limit: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

/** What the verdict is built from; one row a monitor, written by operations alone. */
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
  /** When a run was begun by `/start` and not yet ended. */
  run_started_at: number | null;
  /** For a heartbeat: how long it may be silent, in milliseconds. */
  patience: number | null;
  /** For a heartbeat: when silence becomes down. */
  ping_due_at: number | null;
  /**
   * For a heartbeat: when its silence is looked at next, at `ping_due_at` or before. Indexed, and so not moved by each
   * ping, but when its time has come.
   */
  silence_review_at: number | null;
  /** When watching began: at its creation, at a resume, or when what is checked was edited. */
  watched_since: number;
  /** Since when the checker itself has been unable to check: time that counts in no uptime. */
  blind_since: number | null;
  /** Time up to here is in observed_hour and observed_day. */
  accounted_until: number;
  /** The certificate last seen, as JSON. */
  certificate: string | null;
  /** The registrable domain of its host name: see domain_registration. */
  domain: string | null;
  /** When something about certificate or domain changes by the mere passing of time: a threshold, an expiry. */
  expiry_review_at: number | null;
}

/** When each monitor is due in each region; claimed in batches by compare-and-swap on the lease. */
export interface ScheduleTable {
  monitor: number;
  region: number;
  next_at: number;
  /** 0, or until when a checker holds it. */
  lease_until: number;
  /** Whose monitor it is, so that claims can be shared out by project. */
  project: Generated<string>;
}

export interface RegionTable {
  id: Generated<number>;
  name: string;
  seen_at: number;
}

/** Every check, as small as it goes. */
export interface ResultTable {
  monitor: number;
  at: number;
  region: number;
  /** Verdict, error and status code in one number: see store/result-code. */
  code: number;
  /** Response time in tenths of a millisecond; null when the target did not answer. */
  tenths: number | null;
}

/** What a result's row has no room for: kept for failures, and for a day for the rest. */
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

/** An outage of a monitor, from its verdict down to its end. Alerts hang on these. */
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

export interface IdempotencyTable {
  scope: string;
  key: string;
  request_hash: string;
  status: number;
  body: string;
  created_at: number;
}

/** When each daemon was last alive: what lies between two of these is no evidence. */
export interface PresenceTable {
  instance: string;
  region: number;
  started_at: number;
  alive_at: number;
  /** When it stopped cleanly; null while it runs, and after a crash. */
  ended_at: Generated<number | null>;
  /** How many runs before this one, without a break, crashed within a minute of their start. */
  short_runs: Generated<number>;
}

/** Deleted monitors whose past is still to be removed, a piece at a time. */
export interface PurgeTable {
  monitor: number;
  /** When the monitor was created: none of its past is older. 0 where that is not known. */
  created_at: Generated<number>;
}

/** Where alerts go. */
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
  /** Why the latest message did not arrive; null when it did. */
  last_error: string | null;
  /** 0, or until when its provider asked to be left alone. */
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
  /** 1 when a rule about outages also tells of certificates and domains that no rule of their own watches. */
  expiry_alerts: Generated<number>;
  enabled: number;
  created_at: number;
  updated_at: number;
}

/** What a rule watches, in its order. */
export interface RuleMonitorTable {
  rule: number;
  monitor: number;
  position: number;
}

/** Whom a rule tells, in its order. */
export interface RuleChannelTable {
  rule: number;
  channel: number;
  position: number;
}

/**
 * One fault told to one channel by one rule. What is about a domain moves to another monitor of that domain, or another
 * rule, when its own no longer watches. Names are kept: they stay readable when what they name is deleted.
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
  /** What makes it one fault: the outage's id, the certificate's fingerprint, the domain's expiry date. */
  subject: string;
  /** When the fault began. */
  failing_since: number;
  triggered_at: number;
  resolved_at: number | null;
  /** Why it was resolved; null while it is open. */
  end_reason: Generated<ResolveReason | null>;
  /** 1 once an alarm, or a reminder in its place, arrived: then the recovery is sent as well. */
  told: Generated<number>;
  /** Of the alarm. */
  delivery_status: DeliveryStatus;
  error: string | null;
  /** When the next reminder is due; null for none. */
  remind_at: number | null;
}

export type DeliveryStatus = 'pending' | 'sent' | 'failed';

/** The outbox: one message to one channel, written in the transaction of its cause. */
export interface DeliveryTable {
  /** Messages of one lane are sent in this order. */
  seq: Generated<number>;
  id: string;
  /** The alert's seq. */
  alert: number;
  channel: number;
  /** See operations/alerts/lane: within one, a message waits for those before it. */
  lane: string;
  kind: DeliveryKind;
  /** What to say, as JSON: see channels/notice. */
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
  /** Null while it waits for those before it in its lane; while a sender holds it, when that claim lapses. */
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
  /** What the provider said, at most 200 characters, without secrets. */
  text: string;
}

/**
 * An incident that a paging service keeps open until it is told to close it, under the config that opened it. It stays
 * when alert, channel or project is deleted, and is then closed by engine/closings.
 */
export interface PagingIncidentTable {
  seq: Generated<number>;
  /** The id of the delivery that closes it, where no row of the outbox does. */
  id: string;
  /** The alert's seq. */
  alert: number;
  /** The channel's id, to which the config is sealed. */
  channel_id: string;
  type: ChannelType;
  config: string;
  /** The alarm, as JSON: what closing it has to say. */
  notice: string;
  /** 0 while it is not known whether the alarm arrived. */
  certain: Generated<number>;
  attempts: Generated<number>;
  refusals: Generated<number>;
  tried_since: Generated<number | null>;
  /** When it may be closed at the earliest; later while its alarm or its closing is under way. */
  next_at: number;
}

/** What the registry said of a domain, once for however many monitors share it. */
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
  /** What its public address ends with, made from its id by `publicId`; null until it is stored by this version. */
  public_id: Generated<string | null>;
  project_id: string;
  title: string;
  status: IncidentStatus;
  maintenance: number;
  /** 1 where it is about certain monitors, though they may have been deleted since; one of none is about all. */
  named: Generated<number>;
  /** A window is in force from here … */
  scheduled_start: number | null;
  /** … until just before here, unless it was resolved earlier. */
  scheduled_end: number | null;
  started_at: number;
  resolved_at: number | null;
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
  /** When the domain last pointed here, with the proof it needs, or else when it was named. Null without one. */
  domain_pointed_at: number | null;
  description: string | null;
  home_url: string | null;
  icon_url: string | null;
  /** `#rrggbb`. */
  accent_color: string | null;
  /** The label by whose value its monitors stand together. */
  group_by: string | null;
  created_at: number;
  updated_at: number;
}

/** The monitors that a page shows, in its order. */
export interface StatusPageMonitorTable {
  page: number;
  monitor: number;
  position: number;
}

/** What an admin offers. */
export interface PlanTable {
  id: string;
  name: string;
  monitors: number;
  /** Seconds. */
  check_interval: number;
  regions: number;
  /** US cents a month. */
  price_cents: number;
  /** Null while it is sold, or somebody has it. */
  deleted_at: number | null;
}

/** Whoever changes what an account has, or may have, holds its row. */
export interface AccountLockTable {
  user_id: string;
}

/** A subscription at the payment provider, under the provider's id: what its events come to. */
export interface SubscriptionTable {
  id: string;
  /** Whose it is, and of which plan; null until an event has said so. */
  user_id: string | null;
  plan_id: string | null;
  status: SubscriptionStatus;
  period_start: number | null;
  period_end: number | null;
  /** When its first event happened. */
  since: number;
}

/** An event of the payment provider: taken once. */
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

/** Lets one account be made; gone once it was used. */
export interface InvitationTable {
  /** SHA-256, in hex: who reads the database can sign nobody up. */
  code_hash: string;
  /** The only address it is good for, in small letters. */
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
  /** Epoch milliseconds. */
  since: number;
}

/** How much of a limit of messages is used; a row that is missing is a full budget. See core/message-budget. */
export interface MessageBudgetTable {
  /** `server`, or `account`, `project`, `channel` or `codes` and an id. */
  owner: string;
  kind: GatewayKind;
  /** When it will be full again, in epoch milliseconds. */
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
