import type { BillingEvent } from '../core/subscription.ts';

/** What a user is about to pay for. */
export interface Order {
  user: string;
  email: string;
  plan: { id: string; name: string; /** US dollars a month. */ price: number };
}

/** A payment service. */
export interface PaymentProvider {
  /**
   * Begins a payment; answers the address where the user pays. `former` is the latest subscription of the same user, so
   * that the service knows them again. Throws `delivery_failed` when the service refuses.
   */
  checkout(order: Order, former: string | null): Promise<string>;
  /**
   * What an event of the service says; null for one that is of no concern. Throws `invalid_request` where the
   * signature is not the service's or older than 300 s, and `not_found` where nothing is known to verify it by.
   */
  readEvent(body: Buffer, signature: string | undefined): Promise<BillingEvent | null>;
  /** Ends a subscription that another one took the place of. Throws `delivery_failed` when the service refuses. */
  cancel(subscription: string): Promise<void>;
  /**
   * Ends a subscription to what is not there, and gives back what was paid for it last. It may be asked for more than
   * once. Throws `delivery_failed` when the service refuses.
   */
  giveBack(subscription: string): Promise<void>;
  /** Closes the payments of a plan (by its id) that were begun and not made. Throws `delivery_failed` when the service refuses. */
  closeCheckouts(plan: string): Promise<void>;
}
