import type { Generated, Selectable } from 'kysely';
import type { ChannelType, Trigger } from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';
import type { DeliveryStatus } from './delivery-tables.ts';

/** A channel, to which alerts are sent. */
export interface ChannelTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  /** The name of the manifest that manages this row. */
  managed_by: Generated<string | null>;
  name: string;
  type: ChannelType;
  /** The config as JSON, encrypted by store/seal.ts. */
  config: string;
  last_sent_at: number | null;
  /** Why the latest message did not arrive; null if it arrived. */
  last_error: string | null;
  /**
   * The daemon sends no message before this time, because the provider limited the rate, or a message limit was
   * reached. 0 if messages may be sent at any time.
   */
  wait_until: Generated<number>;
  /**
   * How often in a row the provider limited the rate. The channel waits longer each time, unless the provider says how
   * long to wait.
   */
  limits: Generated<number>;
  /**
   * A sentence that says which message limit delays the channel's messages until `wait_until`; null if no message limit
   * delays them.
   */
  held_why: Generated<string | null>;
  /**
   * Keyed digest of the channel's address. Null unless the channel sends through the operator's mail or phone gateway.
   */
  address_digest: Generated<string | null>;
  /** When the address was confirmed, or when it was treated as confirmed because the server required no code. */
  confirmed_at: Generated<number | null>;
  /** Keyed digest of the latest code that was sent to the address; null while no code can be entered. */
  code_digest: Generated<string | null>;
  code_until: Generated<number | null>;
  /** How many wrong codes were entered since the latest code was sent. */
  code_tries: Generated<number>;
  /** The size of the channel in bytes, as core/stored-size.ts counts it. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface RuleTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  /** The name of the manifest that manages this row. */
  managed_by: Generated<string | null>;
  name: string;
  trigger: Trigger;
  consecutive_failures: number;
  notify_on_recovery: number;
  /** Null if the rule sends no reminders. */
  reminder_interval_seconds: number | null;
  /**
   * 1 if a rule about outages also reports certificates and domains. The rule does not report an event if an enabled
   * rule with the trigger of this event watches the monitor.
   */
  expiry_alerts: Generated<number>;
  enabled: number;
  /** The size of the rule, with its lists of monitors and channels, in bytes: see core/stored-size.ts. */
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
 * An alert: one fault, reported by one rule to one channel. An alert about a domain moves to another monitor or rule if
 * its monitor or rule no longer watches the domain. The names of rule, monitor and channel are copied into the row, so
 * that they stay readable after a delete.
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
  /** Identifies the fault: the outage's id, the certificate's fingerprint, or the domain's name and expiry date. */
  subject: string;
  /** When the fault began. */
  failing_since: number;
  triggered_at: number;
  resolved_at: number | null;
  /** Why the alert was resolved; null while it is open. */
  end_reason: Generated<ResolveReason | null>;
  /** 1 after the alarm, or a reminder that replaced the alarm, has arrived. Only then is the recovery sent. */
  notified: Generated<number>;
  /** Status of the alarm's delivery. */
  delivery_status: DeliveryStatus;
  error: string | null;
  /** When the next reminder is due; null if no reminder is planned. */
  remind_at: number | null;
}

export type ChannelRow = Selectable<ChannelTable>;

export type RuleRow = Selectable<RuleTable>;

export type AlertRow = Selectable<AlertTable>;
