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
  /** The number of its latest claim. */
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
 * An incident that a paging service keeps open until a message closes it. The row has the config that opened it,
 * because only that account can close it. The row outlives alert, channel and project, so that engine/closings can
 * still close the incident.
 */
export interface PagingIncidentTable {
  seq: Generated<number>;
  /** The delivery id under which it is closed, if no row of the outbox closes it. */
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

export type { DeliveryKind } from '../core/message-form.ts';

export type DeliveryRow = Selectable<DeliveryTable>;

export type PagingIncidentRow = Selectable<PagingIncidentTable>;

/** How much of a message limit is used. If there is no row, nothing is used. See core/message-budget. */
export interface MessageBudgetTable {
  /** `server`; or `account`, `project`, `channel` or `codes` followed by an id. */
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
