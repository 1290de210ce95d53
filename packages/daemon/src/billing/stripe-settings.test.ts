import { describe, expect, test } from 'vitest';
import { createPlans } from '../testing/billing.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { stripeSignature } from '../testing/stripe-events.ts';
import { sendRaw } from '../testing/stripe-webhook.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';
import { createStripeWorld, team, secret } from '../testing/stripe-world.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('Stripe', () => {
  const world = createStripeWorld();

  const body = JSON.stringify({ id: 'evt_signed', type: 'charge.succeeded', created: now(), data: { object: {} } });

  test('if no Stripe key is set, the error of a checkout names the missing setting', async () => {
    const keyless = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'stripe' } });
    try {
      const [made] = await createPlans(keyless, [team]);
      const body = { planId: made!.id };
      const answer = await keyless.request('POST', '/api/billing/checkout', body, { cookie: keyless.cookie });
      expect(answer).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('UPTIME_STRIPE_SECRET_KEY') as string },
      });
    } finally {
      await keyless.close();
    }
  });

  test('if no webhook secret is set, the address for webhooks returns 404', async () => {
    const open = await createTestDaemon({
      runCheck: passingCheck,
      env: {
        UPTIME_BILLING: 'stripe',
        UPTIME_STRIPE_SECRET_KEY: 'sk_test_key',
        UPTIME_STRIPE_API_URL: world.stripe.url,
      },
    });
    try {
      for (const key of ['', 'null', secret]) {
        const signature = key === '' ? null : stripeSignature(body, key);
        expect((await sendRaw(open, body, signature)).status).toBe(404);
      }
    } finally {
      await open.close();
    }
  });
});
