import type { OpenOrder } from './sandbox.ts';

/** The test cards of the sandbox by number, and the effect of each card. */
export const sandboxCards = {
  '4242424242424242': 'pays',
  '4000000000000002': 'is declined',
  '4000000000000077': 'pays, and is renewed at once for the next month',
  '4000000000000341': 'pays, and fails at the first renewal: the subscription is past due',
} as const;

export type SandboxCard = keyof typeof sandboxCards;

const monthSeconds = 30 * 24 * 3600;

/**
 * Makes events in Stripe's format. The ids of events derive from the subscription. So if a user pays twice on one
 * payment page, both payments have the same event ids, and the daemon ignores the repeated events.
 */
export const sandboxEvents = {
  /** The events of a payment. Null if the card is declined, because a declined payment causes no events. */
  paid(order: OpenOrder, card: SandboxCard, nowMs: number): object[] | null {
    if (sandboxCards[card] === 'is declined') return null;
    const now = Math.floor(nowMs / 1000);
    const metadata = { userId: order.user, planId: order.plan.id };
    const id = order.subscription;
    const subscription = (status: string, start: number) => ({
      object: 'subscription',
      id,
      status,
      metadata,
      items: { data: [{ current_period_start: start, current_period_end: start + monthSeconds }] },
    });
    const session = {
      object: 'checkout.session',
      mode: 'subscription',
      payment_status: 'paid',
      subscription: id,
      metadata,
    };
    const invoice = (start: number) => ({
      object: 'invoice',
      parent: { subscription_details: { subscription: id, metadata } },
      lines: { data: [{ period: { start, end: start + monthSeconds } }] },
    });
    const bought = [
      event('customer.subscription.created', now, id, subscription('active', now)),
      event('checkout.session.completed', now, id, session),
      event('invoice.paid', now, id, invoice(now)),
    ];
    const renewed = now + 1;
    if (card === '4000000000000077') {
      return [
        ...bought,
        event('invoice.paid', renewed, `${id}_renewed`, invoice(now + monthSeconds)),
        event('customer.subscription.updated', renewed, id, subscription('active', now + monthSeconds)),
      ];
    }
    if (card === '4000000000000341') {
      return [
        ...bought,
        event('invoice.payment_failed', renewed, id, invoice(now + monthSeconds)),
        event('customer.subscription.updated', renewed, id, subscription('past_due', now)),
      ];
    }
    return bought;
  },

  ended: (subscription: string, now: number): object =>
    // The event of a renewal may be dated 1 s in the future. The end of the subscription must have a later date than
    // that event.
    event('customer.subscription.deleted', Math.floor(now / 1000) + 2, subscription, {
      object: 'subscription',
      id: subscription,
      status: 'canceled',
    }),
};

const event = (type: string, created: number, of: string, object: object) => ({
  object: 'event',
  id: `evt_${type}_${of}`,
  type,
  created,
  data: { object },
});
