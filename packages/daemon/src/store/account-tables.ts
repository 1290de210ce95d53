import type { Generated } from 'kysely';
import type { SubscriptionStatus } from '../core/subscription.ts';

/**
 * The answer to the first request with an Idempotency-Key, kept for repeated requests. Values that are also in the
 * request are left out of `body`: see http/kept-answer.ts.
 */
export interface IdempotencyTable {
  /** Numbers the requests in their order. */
  seq: Generated<number>;
  scope: string;
  key: string;
  /** The id of the project, or the id of the account if the request does not belong to a project. */
  owner: string;
  request_hash: string;
  body: string;
  bytes: number;
  created_at: number;
}

/** A plan that an admin offers. */
export interface PlanTable {
  id: string;
  name: string;
  monitors: number;
  check_interval_seconds: number;
  regions: number;
  /** US cents a month. */
  price_cents: number;
  /** The other limits, by name, as JSON. An absent limit has its default. */
  limits: Generated<string>;
  /** When the plan was deleted; null while admins offer it. */
  deleted_at: number | null;
}

/** A lock row for each account. Transactions that change an account's resources or limits lock it. */
export interface AccountLockTable {
  user_id: string;
}

/**
 * A subscription at the payment provider. `id` is the provider's id. The other columns are computed from the
 * subscription's billing events.
 */
export interface SubscriptionTable {
  id: string;
  /** The user who pays. Null until an event has named the user and the plan. */
  user_id: string | null;
  plan_id: string | null;
  status: SubscriptionStatus;
  period_start: number | null;
  period_end: number | null;
  /** When the first event of the subscription happened. */
  since: number;
}

/**
 * An event that the payment provider reported. The provider may report an event again. This row shows that the event
 * was processed already.
 */
export interface BillingEventTable {
  id: string;
  subscription: string;
  /** A `BillingEvent` as JSON: see core/subscription.ts. */
  event: string;
}

/** An invitation to create one account. The row is deleted when the invitation is used. */
export interface InvitationTable {
  /** SHA-256 in hex, so that readers of the database cannot use the code. */
  code_hash: string;
  /** The only mail address that can use the invitation, in lower case; null if any address can. */
  email: string | null;
  expires_at: number;
}

/** This table has one row while the operator keeps sign-up closed. Otherwise it is empty. */
export interface SignUpClosedTable {
  since: number;
}

/**
 * An account that the operator disabled. The server refuses the keys and sessions of the account, and its monitors are
 * paused.
 */
export interface DisabledAccountTable {
  user_id: string;
  /** When the account was disabled. */
  since: number;
}
