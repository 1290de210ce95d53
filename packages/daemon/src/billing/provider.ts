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
   * Begins a payment. Resolves with the address where the user pays. `former` is the same user's latest subscription,
   * so that the service recognizes them. Throws `delivery_failed` if the service refuses.
   */
  checkout(order: Order, former: string | null): Promise<string>;
  /**
   * Reads an event of the service; null for an irrelevant event. Throws `invalid_request` if the signature is not the
   * service's or is older than 300 s, and `not_found` if no secret to verify it is configured.
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
