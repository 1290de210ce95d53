import type { Generated } from 'kysely';
import type { SubscriptionStatus } from '../core/subscription.ts';

/**
 * The answer to the first request with an Idempotency-Key. Fields that only repeat the request are left out: see
 * http/kept-answer.
 */
export interface IdempotencyTable {
  scope: string;
  key: string;
  /** The id of the project, or of the account if the request is about no project. */
  owner: Generated<string>;
  request_hash: string;
  status: number;
  body: string;
  bytes: Generated<number>;
  created_at: number;
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
  /** Epoch milliseconds. */
  since: number;
}
