// Generated from src/contract by `npm run generate`. Do not edit.

/** Input that creates a channel. The type decides the shape of `config`. */
export type ChannelInput =
  | EmailChannelInput
  | SlackChannelInput
  | DiscordChannelInput
  | TeamsChannelInput
  | PagerdutyChannelInput
  | OpsgenieChannelInput
  | WebhookChannelInput
  | TelegramChannelInput
  | SmsChannelInput
  | PhoneChannelInput
  | PushoverChannelInput
  | NtfyChannelInput
  | GooglechatChannelInput
  | MatrixChannelInput;
export type Monitor = HttpMonitor | DnsMonitor | TcpMonitor | PingMonitor | HeartbeatMonitor;
/** Input that creates a monitor. The type decides which fields it has. */
export type MonitorInput =
  HttpMonitorInput | DnsMonitorInput | TcpMonitorInput | PingMonitorInput | HeartbeatMonitorInput;

/** A session of an account: one browser or program that is signed in. */
export interface AccountSession {
  id: string;
  /** Whether this session made the request. */
  current: boolean;
  /** User agent of the program that signed in. */
  userAgent: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  expiresAt: string;
}
export interface Alert {
  /** Opaque id of the alert; begins with `alr_`. */
  id: string;
  ruleId: string;
  /** Name of the rule when the alert opened; kept after the rule is deleted. */
  ruleName: string;
  monitorId: string;
  monitorName: string;
  channelId: string;
  channelName: string;
  type: 'monitor_down' | 'ssl_expiring' | 'ssl_expired' | 'ssl_invalid' | 'domain_expiring' | 'domain_expired';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  triggeredAt: string;
  /** Null while the alert is open. */
  resolvedAt: string | null;
  /** Whether the alarm was delivered. */
  deliveryStatus: 'pending' | 'sent' | 'failed';
  /** Why the latest message about this alert was not delivered. */
  error: string | null;
}
export interface AlertRule {
  /** Opaque id of the rule; begins with `rul_`. */
  id: string;
  key: string | null;
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Monitors that the rule watches, without repetitions. */
  monitorIds: string[];
  /** Channels that the rule notifies, without repetitions. */
  channelIds: string[];
  trigger: 'monitor_down' | 'ssl_expiring' | 'ssl_expired' | 'ssl_invalid' | 'domain_expiring' | 'domain_expired';
  consecutiveFailures: number;
  notifyOnRecovery: boolean;
  reminderInterval: number | null;
  expiryAlerts: boolean;
  enabled: boolean;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface AlertRuleInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Monitors that the rule watches, without repetitions. */
  monitorIds: string[];
  /** Channels that the rule notifies, without repetitions. */
  channelIds: string[];
  /** Event that fires the alert. Default: `"monitor_down"`. */
  trigger?: 'monitor_down' | 'ssl_expiring' | 'ssl_expired' | 'ssl_invalid' | 'domain_expiring' | 'domain_expired';
  /** Failed rounds in a row before the alert fires. With one region, a round is one check. Values above 1 are only for the trigger `monitor_down`. 1 to 100. Default: `1`. */
  consecutiveFailures?: number;
  /** Whether a message is sent when the monitor recovers. Default: `true`. */
  notifyOnRecovery?: boolean;
  /** Seconds between reminders while the alert is open; null for no reminders. 1 to 604800. Default: `null`. */
  reminderInterval?: number | null;
  /** Whether a `monitor_down` rule also sends certificate and domain alerts, except those that another rule for the monitor sends. Default: `true`. */
  expiryAlerts?: boolean;
  /** Whether the rule opens alerts. Default: `true`. */
  enabled?: boolean;
}
export interface AlertRulePatch {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name?: string | null;
  /** Monitors that the rule watches, without repetitions. */
  monitorIds?: string[] | null;
  /** Channels that the rule notifies, without repetitions. */
  channelIds?: string[] | null;
  /** Event that fires the alert. */
  trigger?:
    ('monitor_down' | 'ssl_expiring' | 'ssl_expired' | 'ssl_invalid' | 'domain_expiring' | 'domain_expired') | null;
  /** Failed rounds in a row before the alert fires. With one region, a round is one check. Values above 1 are only for the trigger `monitor_down`. 1 to 100. */
  consecutiveFailures?: number | null;
  /** Whether a message is sent when the monitor recovers. */
  notifyOnRecovery?: boolean | null;
  /** Seconds between reminders while the alert is open; null for no reminders. */
  reminderInterval?: number | null;
  /** Whether a `monitor_down` rule also sends certificate and domain alerts, except those that another rule for the monitor sends. */
  expiryAlerts?: boolean | null;
  /** Whether the rule opens alerts. */
  enabled?: boolean | null;
}
export interface Certificate {
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  validFrom: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  validTo: string;
  issuer: string;
  subject: string;
  /** Whole days until `validTo`; negative once expired. */
  daysRemaining: number;
  /** Whether chain, host name and dates were valid at the last check. */
  valid: boolean;
  /** Why the certificate is not valid. */
  error: string | null;
}
export interface Channel {
  /** Opaque id of the channel; begins with `chn_`. */
  id: string;
  key: string | null;
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type:
    | 'email'
    | 'slack'
    | 'discord'
    | 'teams'
    | 'pagerduty'
    | 'opsgenie'
    | 'webhook'
    | 'telegram'
    | 'sms'
    | 'phone'
    | 'pushover'
    | 'ntfy'
    | 'googlechat'
    | 'matrix';
  /** Stored config with its secrets masked. */
  config: {
    [k: string]: unknown;
  };
  /** SHA-256 in hex of the id, a newline, and the plain config as JSON with sorted keys. */
  configDigest: string;
  /** When the address was confirmed by a code; null until then. Present only where the server asks for a code: channels of type email, sms, phone in UPTIME_MODE=public. */
  confirmedAt?: string | null;
  /** When a message was last delivered. */
  lastSentAt: string | null;
  /** Why the latest message was not delivered. Null if it was delivered, and after a change of the config. */
  lastError: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface ChannelConfirmationInput {
  /** The six digits that were sent to the address. Without them, a new code is sent. */
  code?: string;
}
export interface EmailChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'email';
  config: EmailConfig;
}
export interface EmailConfig {
  /** Where to send. */
  address: string;
}
export interface SlackChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'slack';
  config: WebhookUrlConfig;
}
export interface WebhookUrlConfig {
  /** Address that the provider gave you. Masked when read. */
  webhookUrl: string;
}
export interface DiscordChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'discord';
  config: WebhookUrlConfig;
}
export interface TeamsChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'teams';
  config: WebhookUrlConfig;
}
export interface PagerdutyChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'pagerduty';
  config: PagerdutyConfig;
}
export interface PagerdutyConfig {
  /** Events API v2 integration key. Masked when read. */
  integrationKey: string;
}
export interface OpsgenieChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'opsgenie';
  config: OpsgenieConfig;
}
export interface OpsgenieConfig {
  /** API key of the integration. Masked when read. */
  apiKey: string;
  /** Where the account is hosted. Default: `"us"`. */
  region?: 'us' | 'eu';
}
export interface WebhookChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'webhook';
  config: WebhookConfig;
}
export interface WebhookConfig {
  /** Address to call. Masked when read. */
  url: string;
  /** HTTP method. Default: `"POST"`. */
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET';
  /** Request headers; values are masked when read. Default: `{}`. */
  headers?: {
    [k: string]: string;
  };
  /** Signs each delivery (Standard Webhooks). Masked when read. Default: `null`. */
  secret?: string | null;
}
export interface TelegramChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'telegram';
  config: TelegramConfig;
}
export interface TelegramConfig {
  /** Token of the bot. Masked when read. */
  botToken: string;
  /** Chat to write to. */
  chatId: string;
}
export interface SmsChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'sms';
  config: PhoneNumberConfig;
}
export interface PhoneNumberConfig {
  /** Number in E.164 form: a plus sign and up to 15 digits, such as +15550100. */
  phoneNumber: string;
}
export interface PhoneChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'phone';
  config: PhoneNumberConfig;
}
export interface PushoverChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'pushover';
  config: PushoverConfig;
}
export interface PushoverConfig {
  /** User or group key. Masked when read. */
  userKey: string;
  /** Token of the application. Masked when read. */
  appToken: string;
}
export interface NtfyChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'ntfy';
  config: NtfyConfig;
}
export interface NtfyConfig {
  /** Topic to publish to. */
  topic: string;
  /** Server that holds the topic; a password in it is masked when read. Default: `"https://ntfy.sh"`. */
  serverUrl?: string;
}
export interface GooglechatChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'googlechat';
  config: WebhookUrlConfig;
}
export interface MatrixChannelInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  type: 'matrix';
  config: MatrixConfig;
}
export interface MatrixConfig {
  /** Address of the homeserver; a password in it is masked when read. */
  homeserverUrl: string;
  /** Room to write to. */
  roomId: string;
  /** Access token of the account. Masked when read. */
  accessToken: string;
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged. */
export interface ChannelPatch {
  key?: string | null;
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name?: string;
  /** A new type requires a complete `config`. */
  type?:
    | 'email'
    | 'slack'
    | 'discord'
    | 'teams'
    | 'pagerduty'
    | 'opsgenie'
    | 'webhook'
    | 'telegram'
    | 'sms'
    | 'phone'
    | 'pushover'
    | 'ntfy'
    | 'googlechat'
    | 'matrix';
  /** Merged into the stored config. Null restores a default; a masked value keeps the stored value. Changing the destination (`region`, `url`, `homeserverUrl`) requires the secrets again. */
  config?: {
    [k: string]: unknown;
  };
}
export interface CheckError {
  code:
    | 'dns_not_found'
    | 'dns_no_data'
    | 'dns_server_failure'
    | 'dns_refused'
    | 'dns_timeout'
    | 'dns_bad_response'
    | 'dns_value_mismatch'
    | 'connect_refused'
    | 'connect_timeout'
    | 'unreachable'
    | 'reset'
    | 'timeout'
    | 'tls_expired'
    | 'tls_not_yet_valid'
    | 'tls_hostname'
    | 'tls_untrusted'
    | 'tls_incomplete_chain'
    | 'tls_purpose'
    | 'tls_weak'
    | 'tls_protocol'
    | 'tls_client_cert'
    | 'tls_other'
    | 'http_status'
    | 'http_body_mismatch'
    | 'http_protocol'
    | 'http_redirect'
    | 'http_decode'
    | 'http_incomplete'
    | 'http_too_large'
    | 'blocked_target'
    | 'no_ping'
    | 'internal';
  /** One line, at most 300 characters. */
  message: string;
}
export interface CheckResult {
  /** `internal` is a fault of the checker itself, not a verdict. */
  status: 'up' | 'down' | 'internal';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  checkedAt: string;
  region: string;
  /** Milliseconds. */
  responseTime: number | null;
  statusCode: number | null;
  error: CheckError | null;
  timings: Timings | null;
  /** The steps of the check, in order. */
  trace: {
    /** Milliseconds from the start. */
    at: number;
    event: string;
  }[];
}
/** Milliseconds spent in each phase; null for a phase that did not happen. */
export interface Timings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  download: number | null;
}
export interface Checkout {
  /** Address at which the user pays. */
  checkoutUrl: string;
}
export interface CheckoutInput {
  planId: string;
}
export interface CreatedProjectKey {
  /** Opaque id of the key; begins with `key_`. */
  id: string;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** The rights of the key. `ping`: find the heartbeats of the project by key or name, with their ping addresses. `read`: every read of the project, with the secrets in monitors and the ping addresses of heartbeats. `apply`: reads, and changes of monitors, channels, alert rules, status pages, incidents and maintenance windows. `full`: everything in the project: also its keys, its name and its deletion. */
  scope: 'ping' | 'read' | 'apply' | 'full';
  /** When the key stops working; null if it never does. */
  expiresAt: string | null;
  /** The last use, to the minute; null if the key was never used. */
  lastUsedAt: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** The key itself. The server stores only its digest and never shows it again. */
  key: string;
}
/** The credential of the request itself. */
export interface CurrentKey {
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  /** The key's id; null for the project's own `apiKey`, and for a session. */
  id: string | null;
  name: string | null;
  /** The rights of the key. `ping`: find the heartbeats of the project by key or name, with their ping addresses. `read`: every read of the project, with the secrets in monitors and the ping addresses of heartbeats. `apply`: reads, and changes of monitors, channels, alert rules, status pages, incidents and maintenance windows. `full`: everything in the project: also its keys, its name and its deletion. */
  scope: 'ping' | 'read' | 'apply' | 'full';
  /** When the key stops working; null if it never does. */
  expiresAt: string | null;
}
export interface DailyUptime {
  /** UTC date, YYYY-MM-DD. */
  date: string;
  /** Percentage from 0 to 100; null if nothing was observed. */
  uptime: number | null;
  /** Seconds in maintenance. They do not lower uptime. */
  maintenanceSeconds: number;
}
export interface Delivery {
  /** Stays the same at every attempt, so that a receiver can recognise duplicates. */
  id: string;
  alertId: string;
  monitorName: string;
  channelId: string;
  channelName: string;
  /** `close` closes the incident at a paging service if the alert ends without a recovery message. */
  kind: 'alarm' | 'reminder' | 'recovery' | 'close';
  status: 'pending' | 'sent' | 'failed';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** Null when the delivery is finished, and while it waits for an earlier delivery of the same rule, monitor and channel. */
  nextAttemptAt: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  finishedAt: string | null;
  /** Oldest first. */
  attempts: {
    /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
    at: string;
    /** Milliseconds. */
    duration: number;
    /** HTTP status, or the reply code of the mail server. */
    status: number | null;
    /** The answer of the provider, at most 200 characters. */
    text: string;
  }[];
}
export interface DnsMonitor {
  type: 'dns';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. */
  description: string | null;
  /** Your own labels: a map from names to values. */
  labels: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. */
  interval: number;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries: number;
  /** Regions that run the check; empty for all. */
  regions: string[];
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused: boolean;
  /** Domain to query. */
  hostname: string;
  /** Record type to query. */
  recordType: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT';
  /** Value that one of the returned records must match. */
  expectedValue: string | null;
  /** Name server to ask, as `host[:port]`. By default, a check asks the checker's own name servers. */
  nameserver: string | null;
  /** Opaque id of the monitor; begins with `mon_`. */
  id: string;
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  status: 'pending' | 'up' | 'down' | 'paused';
  /** `plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null. */
  pausedReason: 'plan' | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
  /** When the next check is due. For a heartbeat: when it is marked down if no ping arrives. */
  nextCheckAt: string | null;
  /** The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat. */
  regionResults?: RegionResult[];
  /** Null if the host name belongs to no registrable domain. */
  domain: Domain | null;
}
export interface RegionResult {
  region: string;
  /** The verdict of the region's latest check. `unknown` if the region has never reported, if it has not reported for three intervals, or if the monitor is paused. */
  status: 'up' | 'down' | 'unknown';
  /** Milliseconds. */
  responseTime: number | null;
  statusCode: number | null;
  error: CheckError | null;
  /** When the region's latest check ended. */
  checkedAt: string | null;
}
export interface Domain {
  /** The registrable domain. */
  name: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  expiresAt: string | null;
  registrar: string | null;
  daysRemaining: number | null;
  error: string | null;
}
export interface DnsMonitorInput {
  type: 'dns';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. Default: `null`. */
  description?: string | null;
  /** Your own labels: a map from names to values. Default: `{}`. */
  labels?: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. Default: `60`. */
  interval?: number;
  /** Maximum seconds that a check may take. 1 to 120. Default: `10`. */
  timeout?: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. Default: `0`. */
  retries?: number;
  /** Regions that run the check; empty for all. Default: `[]`. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. Default: `false`. */
  paused?: boolean;
  /** Domain to query. */
  hostname: string;
  /** Record type to query. Default: `"A"`. */
  recordType?: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT';
  /** Value that one of the returned records must match. Default: `null`. */
  expectedValue?: string | null;
  /** Name server to ask, as `host[:port]`. By default, a check asks the checker's own name servers. Default: `null`. */
  nameserver?: string | null;
}
export interface Fault {
  /** Where the fault is: field names and indexes joined by dots; empty for the whole body. */
  path: string;
  /** The expected value. */
  message: string;
}
export interface Health {
  status: 'ok' | 'unavailable';
  version: string;
  /** Why the server is unavailable. Only the operator sees this. */
  reason?: string | null;
  /** The roles of this node, such as `api` and `checker`. Only the operator sees this. */
  roles?: string[];
  /** Parts that do not fully work, such as a region that no daemon or probe serves. Only the operator sees this. */
  warnings?: string[];
}
export interface HeartbeatMetrics {
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  timestamp: string;
  metrics: Metrics;
  /** Milliseconds from the start of the run to this ping, if a start was sent. */
  duration: number | null;
  status: 'success' | 'failure';
  exitCode: number | null;
}
export interface Metrics {
  [k: string]: number | string;
}
export interface HeartbeatMonitor {
  type: 'heartbeat';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. */
  description: string | null;
  /** Your own labels: a map from names to values. */
  labels: {
    [k: string]: string;
  };
  /** Seconds between expected pings. 1 to 2592000. */
  interval: number;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries: number;
  /** Regions that run the check; empty for all. */
  regions: string[];
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused: boolean;
  /** Seconds of extra waiting before the monitor is marked down. 0 to 604800. */
  gracePeriod: number;
  /** Opaque id of the monitor; begins with `mon_`. */
  id: string;
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  status: 'pending' | 'up' | 'down' | 'paused';
  /** `plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null. */
  pausedReason: 'plan' | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
  /** When the next check is due. For a heartbeat: when it is marked down if no ping arrives. */
  nextCheckAt: string | null;
  /** The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat. */
  regionResults?: RegionResult[];
  /** `{site_url}/ping/<PING_TOKEN>`; the token is the credential. */
  pingUrl: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastPingAt: string | null;
}
export interface HeartbeatMonitorInput {
  type: 'heartbeat';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. Default: `null`. */
  description?: string | null;
  /** Your own labels: a map from names to values. Default: `{}`. */
  labels?: {
    [k: string]: string;
  };
  /** Seconds between expected pings. 1 to 2592000. Default: `60`. */
  interval?: number;
  /** Maximum seconds that a check may take. 1 to 120. Default: `10`. */
  timeout?: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. Default: `0`. */
  retries?: number;
  /** Regions that run the check; empty for all. Default: `[]`. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. Default: `false`. */
  paused?: boolean;
  /** Seconds of extra waiting before the monitor is marked down. 0 to 604800. Default: `30`. */
  gracePeriod?: number;
}
export interface HttpMonitor {
  type: 'http';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. */
  description: string | null;
  /** Your own labels: a map from names to values. */
  labels: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. */
  interval: number;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries: number;
  /** Regions that run the check; empty for all. */
  regions: string[];
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused: boolean;
  /** Full URL to request. */
  url: string;
  /** HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Status codes that count as success: a code, a class, a range, a comma list, or an array of these. 100 to 599. */
  expectedStatus: number | string | (number | string)[];
  /** Text that must occur in the response body. */
  bodyContains: string | null;
  /** Request headers, name to value. */
  headers: {
    [k: string]: string;
  };
  /** Request body, sent with POST, PUT and PATCH. */
  body: string | null;
  /** Whether an invalid certificate fails the check. Certificate alerts are sent either way. */
  verifyTls: boolean;
  /** Days before expiry at which the certificate alert fires. 1 to 365. */
  sslExpiryThreshold: number;
  /** Days before expiry at which the domain alert fires. 1 to 365. */
  domainExpiryThreshold: number;
  /** Expiry date of the domain, for registries that do not publish it. It overrides what the registry says. */
  domainExpiresOn: string | null;
  /** Opaque id of the monitor; begins with `mon_`. */
  id: string;
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  status: 'pending' | 'up' | 'down' | 'paused';
  /** `plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null. */
  pausedReason: 'plan' | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
  /** When the next check is due. For a heartbeat: when it is marked down if no ping arrives. */
  nextCheckAt: string | null;
  /** The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat. */
  regionResults?: RegionResult[];
  /** Why the daemon cannot read secrets of this monitor, and so cannot check it. Null otherwise. */
  secretsError: string | null;
  certificate: Certificate | null;
  /** Null if the host name belongs to no registrable domain. */
  domain: Domain | null;
}
export interface HttpMonitorInput {
  type: 'http';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. Default: `null`. */
  description?: string | null;
  /** Your own labels: a map from names to values. Default: `{}`. */
  labels?: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. Default: `60`. */
  interval?: number;
  /** Maximum seconds that a check may take. 1 to 120. Default: `30`. */
  timeout?: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. Default: `0`. */
  retries?: number;
  /** Regions that run the check; empty for all. Default: `[]`. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. Default: `false`. */
  paused?: boolean;
  /** Full URL to request. */
  url: string;
  /** HTTP method. Default: `"GET"`. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Status codes that count as success: a code, a class, a range, a comma list, or an array of these. 100 to 599. Default: `"200-299"`. */
  expectedStatus?: number | string | (number | string)[];
  /** Text that must occur in the response body. Default: `null`. */
  bodyContains?: string | null;
  /** Request headers, name to value. Default: `{}`. */
  headers?: {
    [k: string]: string;
  };
  /** Request body, sent with POST, PUT and PATCH. Default: `null`. */
  body?: string | null;
  /** Whether an invalid certificate fails the check. Certificate alerts are sent either way. Default: `true`. */
  verifyTls?: boolean;
  /** Days before expiry at which the certificate alert fires. 1 to 365. Default: `14`. */
  sslExpiryThreshold?: number;
  /** Days before expiry at which the domain alert fires. 1 to 365. Default: `30`. */
  domainExpiryThreshold?: number;
  /** Expiry date of the domain, for registries that do not publish it. It overrides what the registry says. Default: `null`. */
  domainExpiresOn?: string | null;
}
export interface Incident {
  /** Opaque id of the incident; begins with `inc_`. */
  id: string;
  managedBy: string | null;
  /** Title, 1 to 200 characters. */
  title: string;
  status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  /** Affected monitors. */
  monitorIds: string[];
  maintenance: boolean;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  scheduledStart: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  scheduledEnd: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  startedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  resolvedAt: string | null;
  /** Timeline, in order of creation. PATCH returns only the latest 25 entries. */
  updates: IncidentUpdate[];
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface IncidentUpdate {
  /** Opaque id of the update; begins with `upd_`. */
  id: string;
  status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  message: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
}
export interface IncidentInput {
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Title, 1 to 200 characters. */
  title: string;
  /** A new incident begins as `investigating`, a maintenance window as `identified`. */
  status?: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  /** Text that is added to the timeline. Default: `""`. */
  message?: string;
  /** Affected monitors. Default: `[]`. */
  monitorIds?: string[];
  /** Marks a maintenance window. Default: `false`. */
  maintenance?: boolean;
  /** Start of a maintenance window. Default: `null`. */
  scheduledStart?: string | null;
  /** End of a maintenance window. Default: `null`. */
  scheduledEnd?: string | null;
}
export interface IncidentPatch {
  managedBy?: string | null;
  /** Title, 1 to 200 characters. */
  title?: string;
  status?: ('investigating' | 'identified' | 'monitoring' | 'resolved') | null;
  /** Text that is added to the timeline. */
  message?: string | null;
  /** Affected monitors. */
  monitorIds?: string[] | null;
  scheduledStart?: string | null;
  scheduledEnd?: string | null;
}
export interface TcpMonitor {
  type: 'tcp';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. */
  description: string | null;
  /** Your own labels: a map from names to values. */
  labels: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. */
  interval: number;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries: number;
  /** Regions that run the check; empty for all. */
  regions: string[];
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused: boolean;
  /** Host name or IP address. */
  host: string;
  /** TCP port. 1 to 65535. */
  port: number;
  /** Opaque id of the monitor; begins with `mon_`. */
  id: string;
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  status: 'pending' | 'up' | 'down' | 'paused';
  /** `plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null. */
  pausedReason: 'plan' | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
  /** When the next check is due. For a heartbeat: when it is marked down if no ping arrives. */
  nextCheckAt: string | null;
  /** The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat. */
  regionResults?: RegionResult[];
  /** Null if the host name belongs to no registrable domain. */
  domain: Domain | null;
}
export interface PingMonitor {
  type: 'ping';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. */
  description: string | null;
  /** Your own labels: a map from names to values. */
  labels: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. */
  interval: number;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries: number;
  /** Regions that run the check; empty for all. */
  regions: string[];
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused: boolean;
  /** Host name or IP address; TCP port 80 is tried. */
  host: string;
  /** Opaque id of the monitor; begins with `mon_`. */
  id: string;
  /** Opaque id of the project; begins with `prj_`. */
  projectId: string;
  status: 'pending' | 'up' | 'down' | 'paused';
  /** `plan` while the monitor is paused because it exceeds the limits of the plan. Otherwise null. */
  pausedReason: 'plan' | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
  /** When the next check is due. For a heartbeat: when it is marked down if no ping arrives. */
  nextCheckAt: string | null;
  /** The latest result of each region. Only in the response to a GET of one monitor, and not for a heartbeat. */
  regionResults?: RegionResult[];
  /** Null if the host name belongs to no registrable domain. */
  domain: Domain | null;
}
export interface MonitorEvent {
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  timestamp: string;
  from: 'pending' | 'up' | 'down' | 'paused';
  to: 'pending' | 'up' | 'down' | 'paused';
  /** Why the monitor went down. */
  error: CheckError | null;
}
export interface TcpMonitorInput {
  type: 'tcp';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. Default: `null`. */
  description?: string | null;
  /** Your own labels: a map from names to values. Default: `{}`. */
  labels?: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. Default: `60`. */
  interval?: number;
  /** Maximum seconds that a check may take. 1 to 120. Default: `10`. */
  timeout?: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. Default: `0`. */
  retries?: number;
  /** Regions that run the check; empty for all. Default: `[]`. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. Default: `false`. */
  paused?: boolean;
  /** Host name or IP address. */
  host: string;
  /** TCP port. 1 to 65535. */
  port: number;
}
export interface PingMonitorInput {
  type: 'ping';
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Your own notes. Default: `null`. */
  description?: string | null;
  /** Your own labels: a map from names to values. Default: `{}`. */
  labels?: {
    [k: string]: string;
  };
  /** Seconds between checks. 1 to 86400. Default: `60`. */
  interval?: number;
  /** Maximum seconds that a check may take. 1 to 120. Default: `10`. */
  timeout?: number;
  /** Quick re-checks before a check counts as failed. 0 to 5. Default: `0`. */
  retries?: number;
  /** Regions that run the check; empty for all. Default: `[]`. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. Default: `false`. */
  paused?: boolean;
  /** Host name or IP address; TCP port 80 is tried. */
  host: string;
}
/** A JSON merge patch (RFC 7396): absent fields stay unchanged, null restores the default. */
export interface MonitorPatch {
  /** The type cannot be changed; only its current value is accepted. */
  type?: ('http' | 'dns' | 'tcp' | 'ping' | 'heartbeat') | null;
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name?: string | null;
  /** Your own notes. */
  description?: string | null;
  /** Your own labels: a map from names to values. The patch sets the given entries; null removes an entry. */
  labels?: {
    [k: string]: string | null;
  } | null;
  /** Seconds between expected pings. 1 to 2592000. */
  interval?: number | null;
  /** Maximum seconds that a check may take. 1 to 120. */
  timeout?: number | null;
  /** Quick re-checks before a check counts as failed. 0 to 5. */
  retries?: number | null;
  /** Regions that run the check; empty for all. */
  regions?: string[] | null;
  /** Whether the monitor is paused: no checks, no alerts, not counted in uptime. */
  paused?: boolean | null;
  /** Seconds of extra waiting before the monitor is marked down. 0 to 604800. */
  gracePeriod?: number | null;
  /** Host name or IP address. */
  host?: string | null;
  /** TCP port. 1 to 65535. */
  port?: number | null;
  /** Domain to query. */
  hostname?: string | null;
  /** Record type to query. */
  recordType?: ('A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT') | null;
  /** Value that one of the returned records must match. */
  expectedValue?: string | null;
  /** Name server to ask, as `host[:port]`. By default, a check asks the checker's own name servers. */
  nameserver?: string | null;
  /** Full URL to request. */
  url?: string | null;
  /** HTTP method. */
  method?: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD') | null;
  /** Status codes that count as success: a code, a class, a range, a comma list, or an array of these. */
  expectedStatus?: number | string | (number | string)[] | null;
  /** Text that must occur in the response body. */
  bodyContains?: string | null;
  /** Request headers, name to value. The patch sets the given entries; null removes an entry. */
  headers?: {
    [k: string]: string | null;
  } | null;
  /** Request body, sent with POST, PUT and PATCH. */
  body?: string | null;
  /** Whether an invalid certificate fails the check. Certificate alerts are sent either way. */
  verifyTls?: boolean | null;
  /** Days before expiry at which the certificate alert fires. 1 to 365. */
  sslExpiryThreshold?: number | null;
  /** Days before expiry at which the domain alert fires. 1 to 365. */
  domainExpiryThreshold?: number | null;
  /** Expiry date of the domain, for registries that do not publish it. It overrides what the registry says. */
  domainExpiresOn?: string | null;
}
export interface NewProbeToken {
  /** Opaque id of the token; begins with `prb_`. */
  id: string;
  region: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** The probes that joined with this token. */
  probes: Probe[];
  /** Shown only in this response. Only its digest is stored. */
  token: string;
}
export interface Probe {
  /** A digest of the secret name that the probe gave itself. The probe logs this digest when it starts. */
  name: string;
  version: string;
  /** Whether the probe reported within the last 30 seconds. */
  live: boolean;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastSeenAt: string;
  /** When the probe was stopped; null while it runs, and after a crash. */
  leftAt: string | null;
  /** Results that the probe has not sent yet. */
  queued: number;
  /** Age of the oldest waiting result when the probe last reported, in seconds; 0 if no result waited. */
  lagSeconds: number;
  /** Seconds by which the clock of the probe's machine is ahead of the server's clock. The probe corrects the times of its results. */
  clockSkewSeconds: number | null;
  /** Why the probe cannot check now. Only the operator gets the reason; others get a general text. */
  fault: string | null;
}
export interface PageIncident {
  title: string;
  /** Address of a page with only this incident and all its updates. */
  url: string;
  status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  /** The state of a maintenance window; null for an incident. */
  phase: ('scheduled' | 'in_progress' | 'completed' | 'called_off') | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  startedAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  scheduledEnd?: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  resolvedAt: string | null;
  /** Names of the affected monitors, at most ten. */
  monitors: string[];
  /** How many more of the page's monitors are affected. */
  moreMonitors: number;
  /** The latest ten updates, oldest first. */
  updates: {
    status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
    message: string;
    /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
    createdAt: string;
  }[];
  /** Whether all updates are listed here, each with its whole message. */
  whole: boolean;
}
export interface PageMonitor {
  name: string;
  /** Value of the label that the page's `groupBy` names; null for a monitor without this label. */
  group: string | null;
  status: 'up' | 'down' | 'maintenance' | 'paused' | 'unknown';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  downSince: string | null;
  uptime90d: number | null;
  days: {
    /** UTC date, YYYY-MM-DD. */
    date: string;
    uptime: number | null;
    downSeconds: number;
    maintenanceSeconds: number;
  }[];
}
export interface PasswordChangeInput {
  currentPassword: string;
  /** 8 to 128 characters. */
  newPassword: string;
}
/** The ping is durably recorded. */
export interface Pinged {
  ok: true;
}
export interface Plan {
  /** Opaque id of the plan; begins with `pln_`. */
  id: string;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Maximum number of monitors in all projects of an account. 0 to 1000000. */
  monitors: number;
  /** Shortest check interval, in seconds. It does not apply to heartbeats. 1 to 86400. */
  checkInterval: number;
  /** Maximum number of regions that a monitor may name. A monitor that names no region is checked from at most this many regions. 1 to 1000. */
  regions: number;
  /** Price in US dollars per month, with at most two decimals; 0 for a free plan. 0 to 1000000. */
  price: number;
  /** Maximum number of projects of an account. 1000000 means no limit. 0 to 1000000. */
  projects: number;
  /** Maximum number of notification channels of a project. 1000000 means no limit. 0 to 1000000. */
  channels: number;
  /** Maximum number of alert rules of a project. 1000000 means no limit. 0 to 1000000. */
  alertRules: number;
  /** Maximum number of status pages of a project. 1000000 means no limit. 0 to 1000000. */
  statusPages: number;
  /** Maximum number of custom domains of a project. Each status page can have one. 1000000 means no limit. 0 to 1000000. */
  customDomains: number;
  /** Maximum number of incidents of a project, including resolved ones. Maintenance windows do not count. 1000000 means no limit. 0 to 1000000. */
  incidents: number;
  /** Maximum number of unresolved incidents of a project. 1000000 means no limit. 0 to 1000000. */
  openIncidents: number;
  /** Maximum number of maintenance windows of a project, including past ones. 1000000 means no limit. 0 to 1000000. */
  maintenanceWindows: number;
  /** Maximum number of keys for machines in a project, including expired keys. 1000000 means no limit. 0 to 1000000. */
  keys: number;
  /** Maximum storage of a project, in megabytes. It counts monitors, channels, alert rules, status pages, incidents with their updates, and answers kept for an Idempotency-Key. 1000000 means no limit. 0 to 1000000. */
  storageMegabytes: number;
}
export interface PlanInput {
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Maximum number of monitors in all projects of an account. 0 to 1000000. */
  monitors: number;
  /** Shortest check interval, in seconds. It does not apply to heartbeats. 1 to 86400. */
  checkInterval: number;
  /** Maximum number of regions that a monitor may name. A monitor that names no region is checked from at most this many regions. 1 to 1000. */
  regions: number;
  /** Price in US dollars per month, with at most two decimals; 0 for a free plan. 0 to 1000000. */
  price: number;
  /** Maximum number of projects of an account. 1000000 means no limit. 0 to 1000000. Default: `20`. */
  projects?: number;
  /** Maximum number of notification channels of a project. 1000000 means no limit. 0 to 1000000. Default: `100`. */
  channels?: number;
  /** Maximum number of alert rules of a project. 1000000 means no limit. 0 to 1000000. Default: `500`. */
  alertRules?: number;
  /** Maximum number of status pages of a project. 1000000 means no limit. 0 to 1000000. Default: `50`. */
  statusPages?: number;
  /** Maximum number of custom domains of a project. Each status page can have one. 1000000 means no limit. 0 to 1000000. Default: `20`. */
  customDomains?: number;
  /** Maximum number of incidents of a project, including resolved ones. Maintenance windows do not count. 1000000 means no limit. 0 to 1000000. Default: `10000`. */
  incidents?: number;
  /** Maximum number of unresolved incidents of a project. 1000000 means no limit. 0 to 1000000. Default: `500`. */
  openIncidents?: number;
  /** Maximum number of maintenance windows of a project, including past ones. 1000000 means no limit. 0 to 1000000. Default: `5000`. */
  maintenanceWindows?: number;
  /** Maximum number of keys for machines in a project, including expired keys. 1000000 means no limit. 0 to 1000000. Default: `100`. */
  keys?: number;
  /** Maximum storage of a project, in megabytes. It counts monitors, channels, alert rules, status pages, incidents with their updates, and answers kept for an Idempotency-Key. 1000000 means no limit. 0 to 1000000. Default: `100`. */
  storageMegabytes?: number;
}
export interface PlanPatch {
  /** Display name, 1 to 200 characters. */
  name?: string;
  /** Maximum number of monitors in all projects of an account. 0 to 1000000. */
  monitors?: number;
  /** Shortest check interval, in seconds. It does not apply to heartbeats. 1 to 86400. */
  checkInterval?: number;
  /** Maximum number of regions that a monitor may name. A monitor that names no region is checked from at most this many regions. 1 to 1000. */
  regions?: number;
  /** Price in US dollars per month, with at most two decimals; 0 for a free plan. 0 to 1000000. */
  price?: number;
  /** Maximum number of projects of an account. 1000000 means no limit. 0 to 1000000. */
  projects?: number | null;
  /** Maximum number of notification channels of a project. 1000000 means no limit. 0 to 1000000. */
  channels?: number | null;
  /** Maximum number of alert rules of a project. 1000000 means no limit. 0 to 1000000. */
  alertRules?: number | null;
  /** Maximum number of status pages of a project. 1000000 means no limit. 0 to 1000000. */
  statusPages?: number | null;
  /** Maximum number of custom domains of a project. Each status page can have one. 1000000 means no limit. 0 to 1000000. */
  customDomains?: number | null;
  /** Maximum number of incidents of a project, including resolved ones. Maintenance windows do not count. 1000000 means no limit. 0 to 1000000. */
  incidents?: number | null;
  /** Maximum number of unresolved incidents of a project. 1000000 means no limit. 0 to 1000000. */
  openIncidents?: number | null;
  /** Maximum number of maintenance windows of a project, including past ones. 1000000 means no limit. 0 to 1000000. */
  maintenanceWindows?: number | null;
  /** Maximum number of keys for machines in a project, including expired keys. 1000000 means no limit. 0 to 1000000. */
  keys?: number | null;
  /** Maximum storage of a project, in megabytes. It counts monitors, channels, alert rules, status pages, incidents with their updates, and answers kept for an Idempotency-Key. 1000000 means no limit. 0 to 1000000. */
  storageMegabytes?: number | null;
}
export interface ProbeToken {
  /** Opaque id of the token; begins with `prb_`. */
  id: string;
  region: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** The probes that joined with this token. */
  probes: Probe[];
}
export interface ProbeTokenInput {
  /** The region from which probes with this token check. */
  region: string;
}
/** An error answer (RFC 9457, `application/problem+json`). */
export interface Problem {
  /** A URI that names the kind of error. */
  type: string;
  /** The kind of error in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Description of this error, and what to do. */
  detail: string;
  /** The kind of error, for programs. */
  code:
    | 'invalid_request'
    | 'unauthenticated'
    | 'plan_limit_exceeded'
    | 'forbidden'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'rate_limited'
    | 'internal'
    | 'not_implemented'
    | 'delivery_failed'
    | 'unavailable';
  /** Identifies this request in the server's log. */
  requestId: string;
  /** Every fault, for a validation failure or an exceeded plan limit. */
  errors?: Fault[];
}
/** A project contains monitors and all other resources, and has one API key. */
export interface Project {
  /** Opaque id of the project; begins with `prj_`. */
  id: string;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** The project's API key: `uptime_` and at least 32 characters of base62. If the request has a key for a machine, the answer masks the API key: `••••` and the last four characters. */
  apiKey: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface ProjectInput {
  /** Display name, 1 to 200 characters. */
  name: string;
}
/** A key for a machine, in addition to the one key of the project. */
export interface ProjectKey {
  /** Opaque id of the key; begins with `key_`. */
  id: string;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** The rights of the key. `ping`: find the heartbeats of the project by key or name, with their ping addresses. `read`: every read of the project, with the secrets in monitors and the ping addresses of heartbeats. `apply`: reads, and changes of monitors, channels, alert rules, status pages, incidents and maintenance windows. `full`: everything in the project: also its keys, its name and its deletion. */
  scope: 'ping' | 'read' | 'apply' | 'full';
  /** When the key stops working; null if it never does. */
  expiresAt: string | null;
  /** The last use, to the minute; null if the key was never used. */
  lastUsedAt: string | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
}
export interface ProjectKeyInput {
  /** Name of the machine or program, such as `ci`. Unique among the keys of the project. */
  name: string;
  /** The rights of the key. `ping`: find the heartbeats of the project by key or name, with their ping addresses. `read`: every read of the project, with the secrets in monitors and the ping addresses of heartbeats. `apply`: reads, and changes of monitors, channels, alert rules, status pages, incidents and maintenance windows. `full`: everything in the project: also its keys, its name and its deletion. */
  scope: 'ping' | 'read' | 'apply' | 'full';
  /** When the key stops working; null for never. Default: `null`. */
  expiresAt?: string | null;
}
export interface ProjectPatch {
  /** Display name, 1 to 200 characters. */
  name?: string;
}
export interface PublicPage {
  name: string;
  description: string | null;
  homeUrl: string | null;
  url: string;
  status: 'up' | 'down' | 'incident' | 'maintenance' | 'unknown';
  summary: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  madeAt: string;
  /** Address of the next part, with up to 200 more monitors; null on the last part. */
  next: string | null;
  monitors: PageMonitor[];
  incidents: PageIncident[];
  maintenance: PageIncident[];
  /** Address of the page's incidents by month. */
  history: string;
  /** Whether the page has more open, planned or recent incidents than are listed here. */
  more: boolean;
}
export interface Region {
  name: string;
  /** Whether a daemon or a probe of this region has reported within the last 30 seconds. */
  served: boolean;
  /** `unknown` if no daemon or probe has reported from the region for 30 seconds. The results of the region are then missing. */
  status: 'reporting' | 'unknown';
  /** When a daemon or a probe of this region last reported. */
  lastSeenAt: string;
  /** The probes of this region. A daemon that checks from the region is not listed. */
  probes: Probe[];
}
export interface ResponseTime {
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  timestamp: string;
  /** Milliseconds. */
  responseTime: number | null;
  region: string;
  status: 'up' | 'down';
  statusCode: number | null;
  error: CheckError | null;
  /** A passed check loses its timings after a day. A failed check keeps them. */
  timings: Timings | null;
}
/** The signed-in user. A session lasts 7 days from its last use. */
export interface Session {
  user: User;
  session: {
    id: string;
    /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
    expiresAt: string;
    /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
    createdAt: string;
  };
}
export interface User {
  id: string;
  name: string;
  email: string;
  /** The first user to sign up is admin. */
  role: 'admin' | 'user';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface SignInInput {
  /** E-mail address. */
  email: string;
  password: string;
}
export interface SignUpInput {
  /** Display name, 1 to 200 characters. */
  name: string;
  /** E-mail address. */
  email: string;
  /** 8 to 128 characters. */
  password: string;
  /** Invitation code. Required if the server only accepts invited users. */
  invitation?: string;
}
/** The response also sets the session cookie. */
export interface SignedIn {
  user: User;
}
export interface Stats {
  status: 'pending' | 'up' | 'down' | 'paused';
  /** Percentage from 0 to 100; null if nothing was observed. */
  uptime24h: number | null;
  /** Percentage from 0 to 100; null if nothing was observed. */
  uptime7d: number | null;
  /** Percentage from 0 to 100; null if nothing was observed. */
  uptime30d: number | null;
  /** Average of the passed checks of the last 24 h, in milliseconds. */
  avgResponseTime: number | null;
  /** 95th percentile of the passed checks of the last 24 h, in milliseconds, accurate to 5 %. */
  p95ResponseTime: number | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  lastCheckedAt: string | null;
}
export interface StatusPage {
  /** Opaque id of the status page; begins with `pag_`. */
  id: string;
  key: string | null;
  managedBy: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  slug: string;
  monitorIds: string[];
  customDomain: string | null;
  description: string | null;
  homeUrl: string | null;
  iconUrl: string | null;
  accentColor: string | null;
  groupBy: string | null;
  url: string;
  /** State of the custom domain; null if the page has no custom domain. */
  domain: {
    status: 'pending' | 'active' | 'error';
    error: string | null;
    cname: string;
    /** Whether the domain is the top of its zone. Such a domain cannot have a CNAME, and needs the TXT record. */
    apex: boolean;
    /** TXT record that proves who owns the domain, if the CNAME of the domain does not prove it. */
    txt: {
      name: string;
      value: string;
    };
  } | null;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  createdAt: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  updatedAt: string;
}
export interface StatusPageInput {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. Default: `null`. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. Default: `null`. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name: string;
  /** Last segment of the public address, unique on the server. */
  slug: string;
  /** Monitors shown, in this order. Default: `[]`. */
  monitorIds?: string[];
  /** Domain name that serves this page. Default: `null`. */
  customDomain?: string | null;
  /** Text shown under the page's name. Default: `null`. */
  description?: string | null;
  /** Address that the page's name links to (http or https). Default: `null`. */
  homeUrl?: string | null;
  /** Address of an image shown beside the page's name (http or https). Default: `null`. */
  iconUrl?: string | null;
  /** Colour of links and of the line at the top, such as `#0a66c2`. Default: `null`. */
  accentColor?: string | null;
  /** Name of a label: monitors with the same value of this label share a heading. Default: `null`. */
  groupBy?: string | null;
}
export interface StatusPagePatch {
  /** A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it. */
  key?: string | null;
  /** Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest. */
  managedBy?: string | null;
  /** Display name, 1 to 200 characters. */
  name?: string | null;
  /** Last segment of the public address, unique on the server. */
  slug?: string | null;
  /** Monitors shown, in this order. */
  monitorIds?: string[] | null;
  /** Domain name that serves this page. */
  customDomain?: string | null;
  /** Text shown under the page's name. */
  description?: string | null;
  /** Address that the page's name links to (http or https). */
  homeUrl?: string | null;
  /** Address of an image shown beside the page's name (http or https). */
  iconUrl?: string | null;
  /** Colour of links and of the line at the top, such as `#0a66c2`. */
  accentColor?: string | null;
  /** Name of a label: monitors with the same value of this label share a heading. */
  groupBy?: string | null;
}
export interface Subscription {
  planId: string;
  status: 'active' | 'past_due' | 'canceled';
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  currentPeriodStart: string;
  /** ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`. */
  currentPeriodEnd: string;
}
/** The problem document of an unavailable server. */
export interface Unhealthy {
  /** A URI that names the kind of error. */
  type: string;
  /** The kind of error in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Description of this error, and what to do. */
  detail: string;
  /** The kind of error, for programs. */
  code:
    | 'invalid_request'
    | 'unauthenticated'
    | 'plan_limit_exceeded'
    | 'forbidden'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'rate_limited'
    | 'internal'
    | 'not_implemented'
    | 'delivery_failed'
    | 'unavailable';
  /** Identifies this request in the server's log. */
  requestId: string;
  /** Every fault, for a validation failure or an exceeded plan limit. */
  errors?: Fault[];
  version: string;
  /** Why the server is unavailable. Only the operator sees this. */
  reason?: string;
  /** The roles of this node, such as `api` and `checker`. Only the operator sees this. */
  roles?: string[];
  /** Parts that do not fully work, such as a region that no daemon or probe serves. Only the operator sees this. */
  warnings?: string[];
}
export interface Usage {
  /** Name of the plan whose limits are in force; null if nothing is limited. */
  plan: string | null;
  /** How much is used of each limit of the plan. */
  limits: {
    /** Name of the limit, as in a plan. */
    name:
      | 'projects'
      | 'monitors'
      | 'channels'
      | 'alertRules'
      | 'statusPages'
      | 'customDomains'
      | 'incidents'
      | 'openIncidents'
      | 'maintenanceWindows'
      | 'keys'
      | 'storageMegabytes';
    /** `account`: counted over all projects of the account. `project`: counted in this project. */
    scope: 'account' | 'project';
    unit: 'count' | 'megabytes';
    used: number;
    /** Null for no limit. */
    limit: number | null;
  }[];
  /** The limits of the plan on each monitor. Null for no limit. */
  perMonitor: {
    /** Shortest interval between checks, in seconds. */
    checkInterval: number | null;
    /** Maximum number of regions that a monitor may name. */
    regions: number | null;
  };
  /** The checks of the project. Projects share the server fairly. */
  checks: {
    /** Checks a minute, on average since the start of the last full hour. */
    perMinute: number;
    /** Checks of the project that this server runs now. */
    underWay: number;
    /** Monitors of the project that are due and wait for their check. */
    waiting: number;
  };
  /** Messages through the operator's gateways. The budget for them refills evenly within a day. */
  messages: {
    mails: {
      used: number;
      /** Messages per day; null for no limit. */
      limit: number | null;
    };
    /** SMS and calls. */
    calls: {
      used: number;
      /** Messages per day; null for no limit. */
      limit: number | null;
    };
  };
}

/** One page of a list. Without `limit`, the whole list is returned. */
export interface PageQuery {
  /** Page size, 1 to 1000. Without it the whole list is returned. */
  limit?: number;
  /** Start of the next page, from the `Link` header. */
  cursor?: string;
}

/** One page of a list, or the objects with a key or name. */
export interface ListQuery {
  /** Page size, 1 to 1000. Without it the whole list is returned. */
  limit?: number;
  /** Start of the next page, from the `Link` header. */
  cursor?: string;
  /** Return only the object with this key. */
  key?: string;
  /** Return only objects with exactly this name. */
  name?: string;
}

/** Filters for the list of deliveries, and one page of it. */
export interface DeliveryQuery {
  /** Return only deliveries of this alert. */
  alertId?: string;
  /** Return only deliveries in this status. */
  status?: string;
  /** Page size, 1 to 1000. Without it the whole list is returned. */
  limit?: number;
  /** Start of the next page, from the `Link` header. */
  cursor?: string;
}

/** A range of UTC days. Each call has its own default. */
export interface RangeQuery {
  /** First UTC day, inclusive. */
  from?: string;
  /** Last UTC day, inclusive. Default: today. */
  to?: string;
  /** Page size, 1 to 1000. Without it the whole list is returned. */
  limit?: number;
  /** Start of the next page, from the `Link` header. */
  cursor?: string;
}

/** A range of UTC days, and the region of the checks. */
export interface ResponseTimesQuery {
  /** First UTC day, inclusive. */
  from?: string;
  /** Last UTC day, inclusive. Default: today. */
  to?: string;
  /** Page size, 1 to 1000. Without it the whole list is returned. */
  limit?: number;
  /** Start of the next page, from the `Link` header. */
  cursor?: string;
  /** Only checks from this region. */
  region?: string;
}
