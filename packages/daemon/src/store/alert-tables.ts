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
  /** The name of the manifest that manages it. */
  managed_by: Generated<string | null>;
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
  /** The message limit that delays it until `wait_until`, as a sentence; null if no limit does. */
  held_why: Generated<string | null>;
  /** Keyed digest of its address, for types that use a gateway of the operator. */
  address_digest: Generated<string | null>;
  /** When that address was confirmed, or taken as confirmed because the server asked for no code. */
  confirmed_at: Generated<number | null>;
  /** Keyed digest of the latest code that was sent to the address; null while no code can be entered. */
  code_digest: Generated<string | null>;
  code_until: Generated<number | null>;
  /** How many wrong codes were entered since the latest code was sent. */
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
  /** The name of the manifest that manages it. */
  managed_by: Generated<string | null>;
  name: string;
  trigger: Trigger;
  consecutive_failures: number;
  notify_on_recovery: number;
  /** Seconds; null for no reminders. */
  reminder_interval: number | null;
  /** 1 if a rule about outages also reports certificates and domains, unless another rule watches those. */
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
 * An alert: one fault, reported by one rule to one channel. If its monitor or rule no longer watches a domain, an alert
 * about that domain moves to another monitor or rule that does. Names are stored, so that they stay readable after a
 * delete.
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
  notified: Generated<number>;
  /** Status of the alarm's delivery. */
  delivery_status: DeliveryStatus;
  error: string | null;
  /** When the next reminder is due; null for none. */
  remind_at: number | null;
}

export type ChannelRow = Selectable<ChannelTable>;

export type RuleRow = Selectable<RuleTable>;

export type AlertRow = Selectable<AlertTable>;
