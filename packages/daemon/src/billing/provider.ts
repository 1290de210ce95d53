import type { BillingEvent } from '../core/subscription.ts';

/** A user's order before payment. */
export interface Order {
  user: string;
  email: string;
  plan: { id: string; name: string; /** US dollars a month. */ price: number };
}

/** A payment service. */
export interface PaymentProvider {
  /**
   * Begins a payment. Resolves with the address where the user pays. `former` is the latest subscription of the same
   * user, by which the service recognizes its customer. Throws `delivery_failed` if the service refuses.
   */
  checkout(order: Order, former: string | null): Promise<string>;
  /**
   * Reads an event of the service; null for an irrelevant event. Throws `invalid_request` if the signature is wrong or
   * older than 300 s. Throws `not_found` if the secret for verifying signatures is not configured.
   */
  readEvent(body: Buffer, signature: string | undefined): Promise<BillingEvent | null>;
  /** Ends a subscription that another one replaced. Throws `delivery_failed` if the service refuses. */
  cancel(subscription: string): Promise<void>;
  /**
   * Ends a subscription to a deleted plan, and refunds its latest payment. It may be called more than once. Throws
   * `delivery_failed` if the service refuses.
   */
  cancelAndRefund(subscription: string): Promise<void>;
  /** Closes the unfinished payments of a plan (by its id). Throws `delivery_failed` if the service refuses. */
  closeCheckouts(plan: string): Promise<void>;
}
