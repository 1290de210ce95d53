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
  /** Where the user comes back to. */
  siteUrl: () => string;
  clock: Clock;
}

/** Stripe, by its own library, which is loaded with the first use. */
export function createStripeProvider(options: StripeOptions): PaymentProvider & { name: 'stripe' } {
  const { secretKey, webhookSecret, siteUrl, clock } = options;
  let loading: Promise<Stripe> | undefined;
  const load = () => (loading ??= loadStripe(options));
  return {
    name: 'stripe',
    async checkout({ user, email, plan }) {
      if (secretKey === null) throw new ServiceError('conflict', 'Payment is not set up: UPTIME_STRIPE_SECRET_KEY.');
      const stripe = await load();
      const metadata = { userId: user, planId: plan.id };
      const session = await asked(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          client_reference_id: user,
          customer_email: email,
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
          success_url: `${siteUrl()}/checkout/success`,
          cancel_url: `${siteUrl()}/checkout/canceled`,
        }),
      );
      if (!session.url) throw new ServiceError('delivery_failed', 'Stripe answered no address to pay at.');
      return session.url;
    },
    async readEvent(body, signature) {
      return readSignedEvent(await load(), webhookSecret, { body, signature, now: clock.now() });
    },
    async cancel(subscription) {
      const stripe = await load();
      await asked(() => stripe.subscriptions.cancel(subscription, { prorate: true })).catch((error: unknown) => {
        // Gone already: its own event is on the way.
        const cause = (error as ServiceError).cause as { code?: string } | undefined;
        if (cause?.code !== 'resource_missing') throw error;
      });
    },
  };
}

/** Stripe's library; also for whatever signs as Stripe does. */
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

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new ServiceError('delivery_failed', `Stripe refused: ${(error as Error).message}`, { cause: error });
  }
}
