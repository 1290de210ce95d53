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
   * Begins a payment. Resolves with the address where the user pays. `former` is the user's latest subscription; null
   * for a user without one. It leads to the customer that the payment service already has for this user. Throws
   * `delivery_failed` if the service refuses.
   */
  checkout(order: Order, former: string | null): Promise<string>;
  /**
   * Reads an event that the service sent. Resolves with null if the event says nothing about a subscription. Throws
   * `invalid_request` if the signature is wrong, or if its time is more than 300 s in the past or future. Throws
   * `not_found` if the secret for verifying signatures is not configured.
   */
  readEvent(body: Buffer, signature: string | undefined): Promise<BillingEvent | null>;
  /** Ends a subscription that another one replaced. Throws `delivery_failed` if the service refuses. */
  cancel(subscription: string): Promise<void>;
  /**
   * Ends a subscription to a deleted plan, and refunds its latest payment. A repeated call does not refund it again.
   * Throws `delivery_failed` if the service refuses.
   */
  cancelAndRefund(subscription: string): Promise<void>;
  /**
   * Closes the payment pages on which users have not yet paid for this plan. `plan` is the plan's id. Throws
   * `delivery_failed` if the service refuses.
   */
  closeCheckouts(plan: string): Promise<void>;
}
