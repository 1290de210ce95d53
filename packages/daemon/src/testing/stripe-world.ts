import { afterAll, beforeAll } from 'vitest';
import { createPlans } from './billing.ts';
import { passingCheck } from './passing-check.ts';
import { startStripeServer } from './stripe-server.ts';
import { webhookSecret } from './stripe-webhook.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from './test-daemon.ts';

export const secret = webhookSecret;

export const userOf = async (daemon: TestDaemon, { cookie }: TestUser = daemon): Promise<string> => {
  const session = await daemon.request('GET', '/api/auth/get-session', undefined, { cookie });
  return (session.body as { user: { id: string } }).user.id;
};

const free = { name: 'Free', monitors: 1, checkInterval: 60, regions: 1, price: 0 };

export const team = { name: 'Team', monitors: 3, checkInterval: 10, regions: 1, price: 19.99 };

/** Starts a daemon that charges through the test server of Stripe. Call this function in a describe block. */
export function createStripeWorld() {
  let stripe: Awaited<ReturnType<typeof startStripeServer>>;
  let daemon: TestDaemon;
  let user: string;
  let plan: string;
  let freePlan: string;
  beforeAll(async () => {
    stripe = await startStripeServer();
    daemon = await createTestDaemon({
      runCheck: passingCheck,
      env: {
        UPTIME_BILLING: 'stripe',
        UPTIME_STRIPE_SECRET_KEY: 'sk_test_key',
        UPTIME_STRIPE_WEBHOOK_SECRET: secret,
        UPTIME_STRIPE_API_URL: stripe.url,
      },
    });
    user = await userOf(daemon);
    [freePlan, plan] = (await createPlans(daemon, [free, team])).map(({ id }) => id) as [string, string];
  });
  afterAll(async () => {
    await daemon.close();
    await stripe.close();
  });

  return {
    get stripe() {
      return stripe;
    },
    get daemon() {
      return daemon;
    },
    get user() {
      return user;
    },
    get plan() {
      return plan;
    },
    get freePlan() {
      return freePlan;
    },
  };
}
