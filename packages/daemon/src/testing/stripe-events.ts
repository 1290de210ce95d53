import { Stripe } from 'stripe';

/** An event as Stripe sends it. Times are epoch seconds. */
export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  data: { object: object };
}

interface Bought {
  subscription: string;
  user: string;
  plan: string;
  at: number;
}

export const monthSeconds = 30 * 86_400;

/** Returns Stripe's events about one subscription: its purchase, renewal, failed payment and end. */
export const stripeEvents = ({ subscription: id, user, plan, at }: Bought) => {
  const metadata = { userId: user, planId: plan };
  const event = (type: string, created: number, object: object): StripeEvent => ({
    id: `evt_${type}_${created}_${id}`,
    type,
    created,
    data: { object },
  });
  const subscription = (status: string, start: number) => ({
    object: 'subscription',
    id,
    status,
    metadata,
    items: { data: [{ current_period_start: start, current_period_end: start + monthSeconds }] },
  });
  const invoice = (start: number) => ({
    object: 'invoice',
    parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata } },
    lines: { data: [{ period: { start, end: start + monthSeconds } }] },
  });
  return {
    bought: [
      event('customer.subscription.created', at, subscription('incomplete', at)),
      event('invoice.paid', at, invoice(at)),
      event('customer.subscription.updated', at, subscription('active', at)),
      event('checkout.session.completed', at + 1, {
        object: 'checkout.session',
        mode: 'subscription',
        payment_status: 'paid',
        client_reference_id: user,
        subscription: id,
        metadata,
      }),
    ],
    renewed: (on: number) => [
      event('customer.subscription.updated', on, subscription('active', on)),
      event('invoice.paid', on + 1, invoice(on)),
    ],
    failed: (on: number) => [
      event('invoice.payment_failed', on, invoice(on)),
      event('customer.subscription.updated', on, subscription('past_due', on)),
    ],
    deleted: (on: number) => event('customer.subscription.deleted', on, subscription('canceled', on)),
  };
};

const { webhooks } = new Stripe('none');

/** Returns a `stripe-signature` header, made by Stripe's own library. */
export const stripeSignature = (payload: string, secret: string, timestamp = Math.floor(Date.now() / 1000)): string =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp });
