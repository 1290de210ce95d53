import type { Clock } from '../deps.ts';
import type { Seal } from '../store/seal.ts';
import { createSandbox } from './sandbox.ts';
import { createStripeProvider } from './stripe.ts';

export interface BillingOptions {
  billing: 'none' | 'stripe' | 'sandbox';
  stripeSecretKey: string | null;
  stripeWebhookSecret: string | null;
  stripeApiUrl: string;
  siteUrl: () => string;
  /** The daemon's secret. `seal` encrypts with a key derived from it. */
  secret: string;
  seal: Seal;
  clock: Clock;
}

const providers = {
  none: () => null,
  stripe: ({ stripeSecretKey, stripeWebhookSecret, stripeApiUrl, ...rest }: BillingOptions) =>
    createStripeProvider({
      ...rest,
      secretKey: stripeSecretKey,
      webhookSecret: stripeWebhookSecret,
      apiUrl: stripeApiUrl,
    }),
  sandbox: (options: BillingOptions) => createSandbox(options),
};

export type Billing = ReturnType<(typeof providers)[keyof typeof providers]>;

/** Creates the configured payment provider. Returns null if this server charges nothing. */
export const createBilling = (options: BillingOptions): Billing => providers[options.billing](options);
