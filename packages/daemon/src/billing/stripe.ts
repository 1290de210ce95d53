import type Stripe from 'stripe';
import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import type { PaymentProvider } from './provider.ts';
import { readSignedEvent } from './signed-event.ts';

export interface StripeOptions {
  secretKey: string | null;
  webhookSecret: string | null;
  /** Address of Stripe's API. */
  apiUrl: string;
  /** The site's address. The user's browser returns there after the checkout. */
  siteUrl: () => string;
  clock: Clock;
}

/** A payment provider that calls Stripe through Stripe's own library. The library is loaded at the first use. */
export function createStripeProvider(options: StripeOptions): PaymentProvider & { name: 'stripe' } {
  const { secretKey, webhookSecret, siteUrl, clock } = options;
  let loading: Promise<Stripe> | undefined;
  const load = () => (loading ??= loadStripe(options));
  return {
    name: 'stripe',
    async checkout({ user, email, plan }, former) {
      if (secretKey === null)
        throw new ServiceError('conflict', 'Payment is not set up. Set UPTIME_STRIPE_SECRET_KEY.');
      const stripe = await load();
      const customer = former === null ? null : await customerOf(stripe, former);
      const session = await asked(() =>
        stripe.checkout.sessions.create(checkoutSession({ user, email, plan, customer, siteUrl: siteUrl() })),
      );
      if (!session.url) throw new ServiceError('delivery_failed', 'Stripe returned no address for the payment.');
      return session.url;
    },
    async readEvent(body, signature) {
      return readSignedEvent(await load(), webhookSecret, { body, signature, now: clock.now() });
    },
    async cancel(subscription) {
      const stripe = await load();
      // If the subscription no longer exists at Stripe, there is nothing to do here. Stripe sends an event about its
      // end.
      await unlessGone(() => stripe.subscriptions.cancel(subscription, { prorate: true }));
    },
    async cancelAndRefund(subscription) {
      const stripe = await load();
      // The refund comes before the cancellation. If the cancellation came first and the refund failed, no further
      // event would lead to a second attempt.
      await refundLatest(stripe, subscription);
      await unlessGone(() => stripe.subscriptions.cancel(subscription));
    },
    async closeCheckouts(plan) {
      if (secretKey === null) return;
      const stripe = await load();
      const refusals: ServiceError[] = [];
      await asked(async () => {
        for await (const { id, metadata } of stripe.checkout.sessions.list({ status: 'open', limit: 100 })) {
          if (metadata?.['planId'] !== plan) continue;
          // Stripe refuses to close a checkout that was paid or abandoned meanwhile. After such a refusal, the loop
          // continues with the other checkouts.
          await asked(() => stripe.checkout.sessions.expire(id)).catch((refusal) =>
            refusals.push(refusal as ServiceError),
          );
        }
      });
      if (refusals[0]) throw refusals[0];
    },
  };
}

/** Returns the parameters of a Stripe checkout for a monthly subscription. */
function checkoutSession({
  user,
  email,
  plan,
  customer,
  siteUrl,
}: Parameters<PaymentProvider['checkout']>[0] & {
  customer: string | null;
  siteUrl: string;
}): Stripe.Checkout.SessionCreateParams {
  const metadata = { userId: user, planId: plan.id };
  return {
    mode: 'subscription',
    client_reference_id: user,
    ...(customer === null ? { customer_email: email } : { customer }),
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: Math.round(plan.price * 100),
          recurring: { interval: 'month' },
          product_data: { name: plan.name },
        },
      },
    ],
    metadata,
    subscription_data: { metadata },
    success_url: `${siteUrl}/checkout/success`,
    cancel_url: `${siteUrl}/checkout/canceled`,
  };
}

/** Loads Stripe's library. The sandbox uses the library too, to sign its events as Stripe does. */
export async function loadStripe({ secretKey, apiUrl }: Pick<StripeOptions, 'secretKey' | 'apiUrl'>): Promise<Stripe> {
  const { Stripe: Library } = await import('stripe');
  const { protocol, hostname, port } = new URL(apiUrl);
  return new Library(secretKey ?? 'none', {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: 20_000,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/** Returns the id of the Stripe customer who bought a subscription. Null if Stripe has deleted the customer. */
async function customerOf(stripe: Stripe, subscription: string): Promise<string | null> {
  const found = await unlessGone(() => stripe.subscriptions.retrieve(subscription, { expand: ['customer'] }));
  const customer = found?.customer;
  return typeof customer === 'object' && !customer.deleted ? customer.id : null;
}

/** Refunds the latest invoice of a subscription, unless Stripe has already refunded it. */
async function refundLatest(stripe: Stripe, subscription: string): Promise<void> {
  const found = await unlessGone(() => stripe.subscriptions.retrieve(subscription));
  const latest = found?.latest_invoice;
  if (!latest) return;
  const invoice = typeof latest === 'string' ? latest : latest.id;
  const { data: payments } = await asked(() => stripe.invoicePayments.list({ invoice, status: 'paid' }));
  for (const { payment } of payments) {
    const intent = payment.payment_intent;
    if (!intent) continue;
    const payment_intent = typeof intent === 'string' ? intent : intent.id;
    await unless('charge_already_refunded', () => stripe.refunds.create({ payment_intent }));
  }
}

/** Makes a request. Resolves with null if the object of the request does not exist at Stripe. */
const unlessGone = <T>(ask: () => Promise<T>): Promise<T | null> => unless('resource_missing', ask);

/** Makes a request. Resolves with null if Stripe refuses it with this code. */
async function unless<T>(code: string, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await asked(ask);
  } catch (error) {
    const { code: stripeCode } = (error as ServiceError).cause as { code?: string };
    if (stripeCode === code) return null;
    throw error;
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new ServiceError('delivery_failed', `Stripe refused: ${(error as Error).message}`, { cause: error });
  }
}
