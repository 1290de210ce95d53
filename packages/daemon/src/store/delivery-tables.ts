import type { Generated, Selectable } from 'kysely';
import type { ChannelType } from '@uptime/sdk/contract';
import type { GatewayKind } from '../core/message-budget.ts';
import type { DeliveryKind } from '../core/message-form.ts';

export type DeliveryStatus = 'pending' | 'sent' | 'failed';

/** The outbox. A row is one message to one channel, written in the same transaction as its cause. */
export interface DeliveryTable {
  /** Messages of one lane are sent in this order. */
  seq: Generated<number>;
  id: string;
  /** The id of the alert's project. */
  project: string;
  /** The alert's seq. */
  alert: number;
  channel: number;
  /** Within a lane, a message waits for earlier ones; see alerting/deliveries/lane. */
  lane: string;
  kind: DeliveryKind;
  /** The message's content, as JSON: see channels/notice. */
  notice: string;
  status: DeliveryStatus;
  /** Failed attempts. The more there are, the later is the next attempt. A rate limit does not count. */
  attempts: Generated<number>;
  /** How many attempts in a row the provider refused. After the second, the message is not sent again. */
  refusals: Generated<number>;
  /** When its latest attempt ended. */
  tried_at: Generated<number | null>;
  /**
   * When its attempts began. Some time after that, the message is given up. Null before the first attempt, or if the
   * time begins anew, as after a change of the channel.
   */
  tried_since: number | null;
  /**
   * When it is due. While a sender has claimed it, the time when that claim lapses. Null while it waits for earlier
   * messages in its lane, and once it is finished.
   */
  next_at: number | null;
  /** The time until which a sender has claimed it, or 0. */
  lease_until: Generated<number>;
  /** The number of its latest claim. A sender whose claim has another number has lost the message to a later claim. */
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
 * An incident that a paging service keeps open until a message closes it. The row has the channel's config as of the
 * alarm, because only the account in that config can close the incident. The row outlives alert, channel and project,
 * so that engine/closings can still close the incident.
 */
export interface PagingIncidentTable {
  seq: Generated<number>;
  /** The delivery id of the closing message, if that message does not come from the outbox. */
  id: string;
  /** The alert's seq. */
  alert: number;
  /** The channel's id. The config is sealed for this id, and cannot be opened without it. */
  channel_id: string;
  type: ChannelType;
  config: string;
  /** The alarm as JSON, from which the closing message is made. */
  notice: string;
  /**
   * 1 once an attempt to send the alarm has opened the incident, or may have. While it is 0, a refused alarm means that
   * there is no incident.
   */
  certain: Generated<number>;
  attempts: Generated<number>;
  refusals: Generated<number>;
  tried_since: Generated<number | null>;
  /**
   * The earliest time to close it. While its alarm or its closing message is being sent, this is the end of the time
   * for that attempt.
   */
  next_at: number;
}

export type { DeliveryKind } from '../core/message-form.ts';

export type DeliveryRow = Selectable<DeliveryTable>;

export type PagingIncidentRow = Selectable<PagingIncidentTable>;

/** How much of a message limit is used. If there is no row, nothing is used. See core/message-budget. */
export interface MessageBudgetTable {
  /**
   * `server`; or `account`, `project`, `channel` or `codes` followed by an id. `codes` is the limit of an account's
   * confirmation codes.
   */
  owner: string;
  kind: GatewayKind;
  /** When nothing of the limit will be used any more, if no further message is sent. In epoch milliseconds. */
  full_at: number;
}

/**
 * When the last three confirmation codes were sent to a mailbox or phone, by all accounts together. No more than three
 * are sent in a day.
 */
export interface AddressCodesTable {
  /** Keyed digest of the mailbox or phone number: see core/address-spelling. */
  mailbox: string;
  latest_at: number;
  second_at: number | null;
  third_at: number | null;
}
