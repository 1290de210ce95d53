import type { Generated, Selectable } from 'kysely';
import type { ChannelType } from '@uptime/sdk/contract';
import type { GatewayKind } from '../core/message-budget.ts';
import type { DeliveryKind } from '../core/message-form.ts';

export type DeliveryStatus = 'pending' | 'sent' | 'failed';

/**
 * The outbox. A row is one message to one channel. The transaction that records the cause of the message also writes
 * the row.
 */
export interface DeliveryTable {
  /** Messages of one lane are sent in the order of this number. */
  seq: Generated<number>;
  id: string;
  /** The id of the alert's project. */
  project: string;
  /** The alert's seq. */
  alert: number;
  channel: number;
  /**
   * The id of the message's lane (see alerting/deliveries/lane.ts). A message waits for the earlier messages in its
   * lane.
   */
  lane: string;
  kind: DeliveryKind;
  /** The content of the message, as JSON: see channels/notice.ts. */
  notice: string;
  status: DeliveryStatus;
  /**
   * The number of failed attempts. After each failure, the daemon waits longer before the next attempt. An attempt that
   * hit a rate limit is not included.
   */
  attempts: Generated<number>;
  /** How many attempts in a row the provider refused. After the second refusal, the message is not sent again. */
  refusals: Generated<number>;
  /** When the latest attempt to send the message ended. */
  tried_at: Generated<number | null>;
  /**
   * When the attempts began. The message is given up if it was not sent within some time after that. Null until the
   * first attempt. Some events, such as a change of the channel, set it to null. Then the next attempt sets it again.
   */
  tried_since: number | null;
  /**
   * When the message is due. While a sender has claimed it, this is when that claim lapses. Null while the message
   * waits for earlier messages in its lane, and after it was sent or given up.
   */
  next_at: number | null;
  /** The time until which a sender has claimed the message; 0 if no sender has claimed it. */
  lease_until: Generated<number>;
  /**
   * The number of the latest claim of the message. A sender whose claim has another number has lost the message to a
   * later claim.
   */
  claim: Generated<number>;
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
 * An incident that a paging service keeps open until a message closes it. The row contains the config that the channel
 * had at the alarm, because only the account in that config can close the incident. The row outlives alert, channel and
 * project, so that engine/closings.ts can still close the incident.
 */
export interface PagingIncidentTable {
  seq: Generated<number>;
  /** The delivery id of the closing message, if that message does not come from the outbox. */
  id: string;
  /** The alert's seq. */
  alert: number;
  /** The channel's id. The config was encrypted for this id, and cannot be decrypted without it. */
  channel_id: string;
  type: ChannelType;
  config: string;
  /** The alarm as JSON, from which the closing message is made. */
  notice: string;
  /**
   * 1 if an earlier attempt to send the alarm has opened the incident, or may have opened it. Then this row stays even
   * if the provider refuses the alarm. While the value is 0, a refusal deletes the row, because no incident exists.
   */
  certain: Generated<number>;
  attempts: Generated<number>;
  refusals: Generated<number>;
  tried_since: Generated<number | null>;
  /**
   * The incident is not closed before this time. While a message is being sent, this is when that attempt ends at the
   * latest.
   */
  next_at: number;
}

export type { DeliveryKind } from '../core/message-form.ts';

export type DeliveryRow = Selectable<DeliveryTable>;

export type PagingIncidentRow = Selectable<PagingIncidentTable>;

/**
 * How much of a message limit is used up: see core/message-budget.ts. Without a row, nothing of the limit is used up.
 */
export interface MessageBudgetTable {
  /**
   * `server`, or one of the words `account`, `project`, `channel` and `codes` with an id. `codes` is the limit of an
   * account's confirmation codes.
   */
  owner: string;
  kind: GatewayKind;
  /** When the whole limit will be available again, if no further message is sent. */
  full_at: number;
}

/**
 * When the last three confirmation codes were sent to a mailbox or phone. All accounts together may send three codes a
 * day to one mailbox or phone.
 */
export interface AddressCodesTable {
  /** Keyed digest of the mailbox or phone number: see core/address-spelling.ts. */
  mailbox: string;
  latest_at: number;
  second_at: number | null;
  third_at: number | null;
}
