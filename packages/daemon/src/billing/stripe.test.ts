import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkout, createPlans } from '../testing/billing.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { startStripeServer } from '../testing/stripe-server.ts';
import { monthSeconds, stripeEvents, stripeSignature } from '../testing/stripe-events.ts';
import { accept, send, sendRaw, webhookSecret } from '../testing/stripe-webhook.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

const secret = webhookSecret;
const now = () => Math.floor(Date.now() / 1000);

const subscriptionOf = async (daemon: TestDaemon) =>
  (await daemon.request('GET', '/api/billing/subscription', undefined, { cookie: daemon.cookie })).body as Record<
    string,
    string
  >;

const userOf = async (daemon: TestDaemon, { cookie }: TestUser = daemon): Promise<string> => {
  const session = await daemon.request('GET', '/api/auth/get-session', undefined, { cookie });
  return (session.body as { user: { id: string } }).user.id;
};

const free = { name: 'Free', monitors: 1, checkInterval: 60, regions: 1, price: 0 };
const team = { name: 'Team', monitors: 3, checkInterval: 10, regions: 1, price: 19.99 };

describe('Stripe', () => {
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

  test('a checkout is a session at Stripe with the buyer, the plan and the price', async () => {
    expect(await checkout(daemon, plan, { cookie: daemon.cookie })).toMatch(/^https:\/\/checkout\.stripe\.example\//);
    expect(stripe.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      authorization: 'Bearer sk_test_key',
      fields: {
        mode: 'subscription',
        client_reference_id: user,
        customer_email: daemon.email,
        'line_items[0][price_data][unit_amount]': '1999',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][recurring][interval]': 'month',
        'line_items[0][price_data][product_data][name]': 'Team',
        'metadata[userId]': user,
        'metadata[planId]': plan,
        'subscription_data[metadata][userId]': user,
        'subscription_data[metadata][planId]': plan,
        success_url: `${daemon.url}/checkout/success`,
        cancel_url: `${daemon.url}/checkout/canceled`,
      },
    });
  });

  test("a refusal is reported in Stripe's words", async () => {
    stripe.refuse({ status: 401, error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    const body = { planId: plan };
    const answer = await daemon.request('POST', '/api/billing/checkout', body, { cookie: daemon.cookie });
    stripe.refuse(null);
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'delivery_failed', detail: expect.stringContaining('Invalid API Key provided') as string },
    });
  });

  test('a purchase, its renewal, a failed payment and its end are followed', async () => {
    const at = now();
    const said = stripeEvents({ subscription: 'sub_1', user, plan, at });
    await accept(daemon, said.bought);
    expect(await subscriptionOf(daemon)).toEqual({
      planId: plan,
      status: 'active',
      currentPeriodStart: new Date(at * 1000).toISOString(),
      currentPeriodEnd: new Date((at + monthSeconds) * 1000).toISOString(),
    });
    await accept(daemon, said.renewed(at + monthSeconds));
    expect((await subscriptionOf(daemon)).currentPeriodStart).toBe(new Date((at + monthSeconds) * 1000).toISOString());
    await accept(daemon, said.failed(at + 2 * monthSeconds));
    expect((await subscriptionOf(daemon)).status).toBe('past_due');
    await accept(daemon, [said.deleted(at + 3 * monthSeconds)]);
    // An earlier event that arrives late.
    await accept(daemon, said.renewed(at + monthSeconds));
    expect(await subscriptionOf(daemon)).toMatchObject({ planId: plan, status: 'canceled' });
  });

  test('a replaced subscription is canceled at Stripe, and again if that failed', async () => {
    const at = now();
    await accept(daemon, stripeEvents({ subscription: 'sub_old', user, plan, at }).bought);
    stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
    const [first, ...rest] = stripeEvents({ subscription: 'sub_new', user, plan, at: at + 10 }).bought.toReversed();
    expect(await send(daemon, first!)).toMatchObject([502, { code: 'delivery_failed' }]);
    stripe.refuse(null);
    const before = stripe.requests.length;
    await accept(daemon, [first!]);
    expect(stripe.requests.slice(before)).toMatchObject([
      { method: 'DELETE', path: '/v1/subscriptions/sub_old', fields: { prorate: 'true' } },
    ]);
    await accept(daemon, rest);
    await accept(daemon, [stripeEvents({ subscription: 'sub_old', user, plan, at }).deleted(at + 11)]);
    expect(await subscriptionOf(daemon)).toMatchObject({ status: 'active' });
    await accept(daemon, [stripeEvents({ subscription: 'sub_new', user, plan, at }).deleted(at + 20)]);
  });

  test('a subscription that was never paid, or names no plan, does not count', async () => {
    const buyer = await daemon.another('undecided');
    const id = await userOf(daemon, buyer);
    const [created] = stripeEvents({ subscription: 'sub_unpaid', user: id, plan, at: now() }).bought;
    const active = { id: 'sub_planless', status: 'active', metadata: { userId: id } };
    await accept(daemon, [
      created!,
      { id: 'evt_planless', type: 'customer.subscription.updated', created: now(), data: { object: active } },
    ]);
    const { body } = await daemon.request('GET', '/api/billing/subscription', undefined, { cookie: buyer.cookie });
    expect(body).toMatchObject({ planId: freePlan, status: 'active' });
    expect(await checkout(daemon, plan, { cookie: buyer.cookie })).toMatch(/^https:/);
  });

  test('a replaced subscription that no longer exists at Stripe is not an error', async () => {
    const at = now() + 50;
    await accept(daemon, stripeEvents({ subscription: 'sub_gone', user, plan, at }).bought);
    const said = stripeEvents({ subscription: 'sub_next', user, plan, at: at + 1 });
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such subscription' };
    stripe.refuse({ status: 404, error });
    await accept(daemon, said.bought);
    stripe.refuse(null);
    expect(stripe.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/subscriptions/sub_gone' });
    await accept(daemon, [stripeEvents({ subscription: 'sub_gone', user, plan, at }).deleted(at + 2)]);
    await accept(daemon, [said.deleted(at + 3)]);
  });

  test('a returning buyer is the same customer, unless Stripe has deleted them', async () => {
    const said = stripeEvents({ subscription: 'sub_before', user, plan, at: now() + 70 });
    await accept(daemon, [...said.bought, said.deleted(now() + 80)]);
    const asked = async (customer: object | null) => {
      stripe.customers.clear();
      if (customer) stripe.customers.set('sub_before', customer);
      await checkout(daemon, plan, { cookie: daemon.cookie });
      const { customer: id, customer_email: email } = stripe.requests.at(-1)!.fields;
      return { id, email };
    };
    expect(await asked({ object: 'customer', id: 'cus_1' })).toEqual({ id: 'cus_1', email: undefined });
    const byEmail = { id: undefined, email: daemon.email };
    expect(await asked({ object: 'customer', id: 'cus_1', deleted: true })).toEqual(byEmail);
    expect(await asked(null)).toEqual(byEmail);
  });

  test('while the order of two subscriptions is unknown, neither is canceled at Stripe', async () => {
    const at = now();
    const first = stripeEvents({ subscription: 'sub_first', user, plan, at });
    const second = stripeEvents({ subscription: 'sub_second', user, plan, at: at + 50 });
    const before = stripe.requests.length;
    const canceled = () => stripe.requests.slice(before).map(({ path }) => path);
    // The first one's later events arrive before its beginning.
    await accept(daemon, [...first.renewed(at + 100), ...second.bought]);
    expect(canceled()).toEqual([]);
    await accept(daemon, first.bought);
    expect(new Set(canceled())).toEqual(new Set(['/v1/subscriptions/sub_first']));
    await accept(daemon, [first.deleted(at + 200), second.deleted(at + 200)]);
  });

  test('events of older forms, of one-time payments and of other kinds are accepted', async () => {
    const at = now() + 100;
    const period = { current_period_start: at, current_period_end: at + monthSeconds };
    const old = { id: 'sub_old_form', status: 'trialing', metadata: { userId: user, planId: plan }, ...period };
    await accept(daemon, [
      { id: 'evt_old_1', type: 'customer.subscription.created', created: at, data: { object: old } },
      { id: 'evt_old_2', type: 'invoice.payment_failed', created: at + 1, data: { object: { subscription: old.id } } },
      { id: 'evt_other', type: 'charge.succeeded', created: at, data: { object: {} } },
      { id: 'evt_once', type: 'invoice.paid', created: at, data: { object: { lines: { data: [] } } } },
      {
        id: 'evt_payment',
        type: 'checkout.session.completed',
        created: at,
        data: { object: { mode: 'payment', payment_status: 'paid' } },
      },
    ]);
    expect(await subscriptionOf(daemon)).toMatchObject({
      planId: plan,
      status: 'past_due',
      currentPeriodEnd: new Date((at + monthSeconds) * 1000).toISOString(),
    });
  });

  describe('a plan that is deleted during a purchase', () => {
    let gone: string;
    let buyer: TestUser;
    let buyerId: string;
    let count = 0;
    const asAdmin = () => ({ cookie: daemon.cookie });
    const remove = async () =>
      expect(await daemon.request('DELETE', `/api/billing/plans/${gone}`, undefined, asAdmin())).toMatchObject({
        status: 204,
      });
    const bought = (subscription: string, at = now()) => {
      stripe.payments.set(subscription, { refunded: false });
      return stripeEvents({ subscription, user: buyerId, plan: gone, at });
    };
    const changes = (from: number) =>
      stripe.requests.slice(from).flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
    const shown = async () =>
      (await daemon.request('GET', '/api/billing/subscription', undefined, { cookie: buyer.cookie })).body;
    beforeEach(async () => {
      [gone] = (await createPlans(daemon, [{ ...team, name: 'Gone' }])).map(({ id }) => id) as [string];
      buyer = await daemon.another(`buyer-${++count}`);
      buyerId = await userOf(daemon, buyer);
    });

    test('closes its open checkouts at Stripe, and no others', async () => {
      const begin = async (planId: string) => {
        await checkout(daemon, planId, { cookie: buyer.cookie });
        return [...stripe.sessions.keys()].at(-1)!;
      };
      const [kept, one, paid, last] = [await begin(plan), await begin(gone), await begin(gone), await begin(gone)];
      stripe.sessions.get(paid)!.status = 'complete';
      await remove();
      const status = (id: string) => stripe.sessions.get(id)!.status;
      expect([kept, one, paid, last].map(status)).toEqual(['open', 'expired', 'complete', 'expired']);
    });

    test('is deleted even if Stripe does not answer', async () => {
      await checkout(daemon, gone, { cookie: buyer.cookie });
      stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
      await remove();
      stripe.refuse(null);
    });

    test("refunds a late payment and creates no subscription, in any order of Stripe's events", async () => {
      await remove();
      for (const [index, order] of [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [1, 3, 0, 2, 1, 3],
      ].entries()) {
        const id = `sub_late_${index}`;
        const said = bought(id, now() + index);
        const from = stripe.requests.length;
        await accept(
          daemon,
          order.map((place) => said.bought[place]!),
        );
        expect(stripe.payments.get(id)).toEqual({ refunded: true });
        expect(changes(from).slice(0, 2)).toEqual(['POST /v1/refunds', `DELETE /v1/subscriptions/${id}`]);
        expect(await shown()).toMatchObject({ planId: freePlan, status: 'active' });
        await accept(daemon, [said.deleted(now() + index + 2)]);
        const after = stripe.requests.length;
        await accept(daemon, said.bought);
        expect(changes(after)).toEqual([]);
        expect(await shown()).toMatchObject({ planId: freePlan, status: 'active' });
      }
      const again = await checkout(daemon, plan, { cookie: buyer.cookie });
      expect(again).toMatch(/^https:/);
    });

    test('retries a refund that Stripe refuses with the next delivery of the event', async () => {
      await remove();
      const [, paid] = bought('sub_late_refused').bought;
      stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
      expect(await send(daemon, paid!)).toMatchObject([502, { code: 'delivery_failed' }]);
      stripe.refuse(null);
      await accept(daemon, [paid!]);
      expect(stripe.payments.get('sub_late_refused')).toEqual({ refunded: true });
    });

    test('leaves an active subscription alone', async () => {
      const before = stripeEvents({ subscription: 'sub_in_force', user: buyerId, plan, at: now() });
      await accept(daemon, before.bought);
      await remove();
      const from = stripe.requests.length;
      await accept(daemon, bought('sub_beside', now() + 5).bought);
      expect(new Set(changes(from))).toEqual(new Set(['POST /v1/refunds', 'DELETE /v1/subscriptions/sub_beside']));
      expect(await shown()).toMatchObject({ planId: plan, status: 'active' });
    });

    test('that is unknown, as after restoring a backup, refunds no one', async () => {
      const from = stripe.requests.length;
      const lost = stripeEvents({ subscription: 'sub_lost', user: buyerId, plan: 'pln_lost', at: now() });
      await accept(daemon, lost.bought);
      expect(changes(from)).toEqual([]);
      expect(await shown()).toMatchObject({ planId: freePlan, status: 'active' });
    });

    test('leaves the customers of another server on the same account alone', async () => {
      const from = stripe.requests.length;
      const foreign = stripeEvents({
        subscription: 'sub_foreign',
        user: 'usr_foreign',
        plan: 'pln_foreign',
        at: now(),
      });
      await accept(daemon, foreign.bought);
      expect(changes(from)).toEqual([]);
    });

    test('moves its former buyers to the free plan, as the same customers at Stripe', async () => {
      const said = bought('sub_had');
      await accept(daemon, [...said.bought, said.deleted(now() + 2)]);
      expect(await shown()).toMatchObject({ planId: gone, status: 'canceled' });
      await remove();
      expect(await shown()).toMatchObject({ planId: freePlan, status: 'active' });
      stripe.customers.set('sub_had', { object: 'customer', id: 'cus_had' });
      await checkout(daemon, plan, { cookie: buyer.cookie });
      expect(stripe.requests.at(-1)!.fields).toMatchObject({ customer: 'cus_had' });
    });
  });

  const body = JSON.stringify({ id: 'evt_signed', type: 'charge.succeeded', created: now(), data: { object: {} } });
  const v1 = (header: string) => header.split('v1=')[1]!;
  test.each<[string, number, () => Response | Promise<Response>]>([
    ['a valid one', 200, () => sendRaw(daemon, body, stripeSignature(body, secret))],
    [
      'one among others',
      200,
      () => sendRaw(daemon, body, `${stripeSignature(body, secret)},v1=${'0'.repeat(64)},v0=1`),
    ],
    ['one that is 290 s old', 200, () => sendRaw(daemon, body, stripeSignature(body, secret, now() - 290))],
    [
      'one of a body with another content type',
      200,
      () => sendRaw(daemon, body, stripeSignature(body, secret), 'text/plain'),
    ],
    ['none', 400, () => sendRaw(daemon, body, null)],
    ['an empty one', 400, () => sendRaw(daemon, body, '')],
    ['one that is 310 s old', 400, () => sendRaw(daemon, body, stripeSignature(body, secret, now() - 310))],
    ['one from the future', 400, () => sendRaw(daemon, body, stripeSignature(body, secret, now() + 310))],
    ['one with another secret', 400, () => sendRaw(daemon, body, stripeSignature(body, 'whsec_other'))],
    ['one for another body', 400, () => sendRaw(daemon, `${body} `, stripeSignature(body, secret))],
    [
      'one with a changed time',
      400,
      () => sendRaw(daemon, body, `t=${now() - 1},v1=${v1(stripeSignature(body, secret))}`),
    ],
    ['one without its time', 400, () => sendRaw(daemon, body, `v1=${v1(stripeSignature(body, secret))}`)],
    [
      'one with an outdated scheme',
      400,
      () => sendRaw(daemon, body, stripeSignature(body, secret).replace('v1=', 'v0=')),
    ],
    ['a valid one of a body that is not an event', 400, () => sendRaw(daemon, '[]', stripeSignature('[]', secret))],
    ['a valid one of a body that is not JSON', 400, () => sendRaw(daemon, '{', stripeSignature('{', secret))],
    ['a valid one of an empty body', 400, () => sendRaw(daemon, '', stripeSignature('', secret))],
  ])('signatures: %s gets %i', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    if (status === 400) expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
  });

  test('without a Stripe key a checkout names the missing setting', async () => {
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

  test('without a secret the webhook is closed', async () => {
    const open = await createTestDaemon({
      runCheck: passingCheck,
      env: { UPTIME_BILLING: 'stripe', UPTIME_STRIPE_SECRET_KEY: 'sk_test_key', UPTIME_STRIPE_API_URL: stripe.url },
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

test.each(databases)('a plan on $name that is bought and deleted at once is active or refunded', async (database) => {
  const stripe = await startStripeServer();
  const env = {
    UPTIME_BILLING: 'stripe',
    UPTIME_STRIPE_SECRET_KEY: 'sk_test_key',
    UPTIME_STRIPE_WEBHOOK_SECRET: secret,
    UPTIME_STRIPE_API_URL: stripe.url,
  };
  const daemon = await createTestDaemon({ database, runCheck: passingCheck, env });
  try {
    const user = await userOf(daemon);
    for (let round = 0; round < 20; round++) {
      const [made] = await createPlans(daemon, [team]);
      const id = `sub_${round}`;
      stripe.payments.set(id, { refunded: false });
      const [, paid] = stripeEvents({ subscription: id, user, plan: made!.id, at: now() + round }).bought;
      const remove = () =>
        daemon.request('DELETE', `/api/billing/plans/${made!.id}`, undefined, { cookie: daemon.cookie });
      const [deleted, [taken]] = await Promise.all([remove(), send(daemon, paid!)]);
      expect(taken).toBe(200);
      expect([deleted.status, stripe.payments.get(id)!.refunded]).toEqual(
        deleted.status === 204 ? [204, true] : [409, false],
      );
    }
  } finally {
    await daemon.close();
    await stripe.close();
  }
});
