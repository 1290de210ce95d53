import { describe, expect, test } from 'vitest';
import { checkout, createPlans } from '../testing/billing.ts';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { startStripeServer } from '../testing/stripe-server.ts';
import { monthSeconds, stripeEvents, stripeSignature } from '../testing/stripe-events.ts';
import { accept, send, sendRaw } from '../testing/stripe-webhook.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { createStripeWorld, userOf, team, secret } from '../testing/stripe-world.ts';

const now = () => Math.floor(Date.now() / 1000);

const subscriptionOf = async (daemon: TestDaemon) =>
  (await daemon.request('GET', '/api/billing/subscription', undefined, { cookie: daemon.cookie })).body as Record<
    string,
    string
  >;

describe('Stripe', () => {
  const world = createStripeWorld();

  test('a checkout creates a session at Stripe with the buyer, the plan and the price', async () => {
    expect(await checkout(world.daemon, world.plan, { cookie: world.daemon.cookie })).toMatch(
      /^https:\/\/checkout\.stripe\.example\//,
    );
    expect(world.stripe.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      authorization: 'Bearer sk_test_key',
      fields: {
        mode: 'subscription',
        client_reference_id: world.user,
        customer_email: world.daemon.email,
        'line_items[0][price_data][unit_amount]': '1999',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][recurring][interval]': 'month',
        'line_items[0][price_data][product_data][name]': 'Team',
        'metadata[userId]': world.user,
        'metadata[planId]': world.plan,
        'subscription_data[metadata][userId]': world.user,
        'subscription_data[metadata][planId]': world.plan,
        success_url: `${world.daemon.url}/checkout/success`,
        cancel_url: `${world.daemon.url}/checkout/canceled`,
      },
    });
  });

  test("if Stripe refuses a checkout, the error contains Stripe's message", async () => {
    world.stripe.refuse({ status: 401, error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    const body = { planId: world.plan };
    const answer = await world.daemon.request('POST', '/api/billing/checkout', body, { cookie: world.daemon.cookie });
    world.stripe.refuse(null);
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'delivery_failed', detail: expect.stringContaining('Invalid API Key provided') as string },
    });
  });

  test('the status of a subscription follows its purchase, its renewal, a failed payment and its end', async () => {
    const at = now();
    const events = stripeEvents({ subscription: 'sub_1', user: world.user, plan: world.plan, at });
    await accept(world.daemon, events.bought);
    expect(await subscriptionOf(world.daemon)).toEqual({
      planId: world.plan,
      status: 'active',
      currentPeriodStart: new Date(at * 1000).toISOString(),
      currentPeriodEnd: new Date((at + monthSeconds) * 1000).toISOString(),
    });
    await accept(world.daemon, events.renewed(at + monthSeconds));
    expect((await subscriptionOf(world.daemon)).currentPeriodStart).toBe(
      new Date((at + monthSeconds) * 1000).toISOString(),
    );
    await accept(world.daemon, events.failed(at + 2 * monthSeconds));
    expect((await subscriptionOf(world.daemon)).status).toBe('past_due');
    await accept(world.daemon, [events.deleted(at + 3 * monthSeconds)]);
    // An earlier event arrives late.
    await accept(world.daemon, events.renewed(at + monthSeconds));
    expect(await subscriptionOf(world.daemon)).toMatchObject({ planId: world.plan, status: 'canceled' });
  });

  test('the daemon cancels a replaced subscription at Stripe, and tries again if Stripe refused', async () => {
    const at = now();
    await accept(
      world.daemon,
      stripeEvents({ subscription: 'sub_old', user: world.user, plan: world.plan, at }).bought,
    );
    world.stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
    const [first, ...rest] = stripeEvents({
      subscription: 'sub_new',
      user: world.user,
      plan: world.plan,
      at: at + 10,
    }).bought.toReversed();
    expect(await send(world.daemon, first!)).toMatchObject([502, { code: 'delivery_failed' }]);
    world.stripe.refuse(null);
    const before = world.stripe.requests.length;
    await accept(world.daemon, [first!]);
    expect(world.stripe.requests.slice(before)).toMatchObject([
      { method: 'DELETE', path: '/v1/subscriptions/sub_old', fields: { prorate: 'true' } },
    ]);
    await accept(world.daemon, rest);
    await accept(world.daemon, [
      stripeEvents({ subscription: 'sub_old', user: world.user, plan: world.plan, at }).deleted(at + 11),
    ]);
    expect(await subscriptionOf(world.daemon)).toMatchObject({ status: 'active' });
    await accept(world.daemon, [
      stripeEvents({ subscription: 'sub_new', user: world.user, plan: world.plan, at }).deleted(at + 20),
    ]);
  });

  test('the buyer of a subscription that was never paid, or that names no plan, stays on the free plan', async () => {
    const buyer = await world.daemon.another('undecided');
    const id = await userOf(world.daemon, buyer);
    const [created] = stripeEvents({ subscription: 'sub_unpaid', user: id, plan: world.plan, at: now() }).bought;
    const active = { id: 'sub_planless', status: 'active', metadata: { userId: id } };
    await accept(world.daemon, [
      created!,
      { id: 'evt_planless', type: 'customer.subscription.updated', created: now(), data: { object: active } },
    ]);
    const { body } = await world.daemon.request('GET', '/api/billing/subscription', undefined, {
      cookie: buyer.cookie,
    });
    expect(body).toMatchObject({ planId: world.freePlan, status: 'active' });
    expect(await checkout(world.daemon, world.plan, { cookie: buyer.cookie })).toMatch(/^https:/);
  });

  test('the daemon accepts that a replaced subscription no longer exists at Stripe', async () => {
    const at = now() + 50;
    await accept(
      world.daemon,
      stripeEvents({ subscription: 'sub_gone', user: world.user, plan: world.plan, at }).bought,
    );
    const events = stripeEvents({ subscription: 'sub_next', user: world.user, plan: world.plan, at: at + 1 });
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such subscription' };
    world.stripe.refuse({ status: 404, error });
    await accept(world.daemon, events.bought);
    world.stripe.refuse(null);
    expect(world.stripe.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/subscriptions/sub_gone' });
    await accept(world.daemon, [
      stripeEvents({ subscription: 'sub_gone', user: world.user, plan: world.plan, at }).deleted(at + 2),
    ]);
    await accept(world.daemon, [events.deleted(at + 3)]);
  });

  test('a second purchase uses the same customer at Stripe, unless Stripe has deleted that customer', async () => {
    const events = stripeEvents({ subscription: 'sub_before', user: world.user, plan: world.plan, at: now() + 70 });
    await accept(world.daemon, [...events.bought, events.deleted(now() + 80)]);
    const asked = async (customer: object | null) => {
      world.stripe.customers.clear();
      if (customer) world.stripe.customers.set('sub_before', customer);
      await checkout(world.daemon, world.plan, { cookie: world.daemon.cookie });
      const { customer: id, customer_email: email } = world.stripe.requests.at(-1)!.fields;
      return { id, email };
    };
    expect(await asked({ object: 'customer', id: 'cus_1' })).toEqual({ id: 'cus_1', email: undefined });
    const byEmail = { id: undefined, email: world.daemon.email };
    expect(await asked({ object: 'customer', id: 'cus_1', deleted: true })).toEqual(byEmail);
    expect(await asked(null)).toEqual(byEmail);
  });

  test('the daemon cancels neither of two subscriptions while it does not know which one is newer', async () => {
    const at = now();
    const first = stripeEvents({ subscription: 'sub_first', user: world.user, plan: world.plan, at });
    const second = stripeEvents({ subscription: 'sub_second', user: world.user, plan: world.plan, at: at + 50 });
    const before = world.stripe.requests.length;
    const canceled = () => world.stripe.requests.slice(before).map(({ path }) => path);
    // The later events of the first subscription arrive before the events about its purchase.
    await accept(world.daemon, [...first.renewed(at + 100), ...second.bought]);
    expect(canceled()).toEqual([]);
    await accept(world.daemon, first.bought);
    expect(new Set(canceled())).toEqual(new Set(['/v1/subscriptions/sub_first']));
    await accept(world.daemon, [first.deleted(at + 200), second.deleted(at + 200)]);
  });

  test('the webhook accepts events in older formats, of one-time payments and of other types', async () => {
    const at = now() + 100;
    const period = { current_period_start: at, current_period_end: at + monthSeconds };
    const old = {
      id: 'sub_old_form',
      status: 'trialing',
      metadata: { userId: world.user, planId: world.plan },
      ...period,
    };
    await accept(world.daemon, [
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
    expect(await subscriptionOf(world.daemon)).toMatchObject({
      planId: world.plan,
      status: 'past_due',
      currentPeriodEnd: new Date((at + monthSeconds) * 1000).toISOString(),
    });
  });

  const body = JSON.stringify({ id: 'evt_signed', type: 'charge.succeeded', created: now(), data: { object: {} } });

  const v1 = (header: string) => header.split('v1=')[1]!;

  test.each<[string, number, () => Response | Promise<Response>]>([
    ['a valid signature', 200, () => sendRaw(world.daemon, body, stripeSignature(body, secret))],
    [
      'a valid signature among other signatures',
      200,
      () => sendRaw(world.daemon, body, `${stripeSignature(body, secret)},v1=${'0'.repeat(64)},v0=1`),
    ],
    [
      'a signature that is 290 s old',
      200,
      () => sendRaw(world.daemon, body, stripeSignature(body, secret, now() - 290)),
    ],
    [
      'a valid signature of a body with another content type',
      200,
      () => sendRaw(world.daemon, body, stripeSignature(body, secret), 'text/plain'),
    ],
    ['no signature', 400, () => sendRaw(world.daemon, body, null)],
    ['an empty signature', 400, () => sendRaw(world.daemon, body, '')],
    [
      'a signature that is 310 s old',
      400,
      () => sendRaw(world.daemon, body, stripeSignature(body, secret, now() - 310)),
    ],
    ['a signature from the future', 400, () => sendRaw(world.daemon, body, stripeSignature(body, secret, now() + 310))],
    ['a signature with another secret', 400, () => sendRaw(world.daemon, body, stripeSignature(body, 'whsec_other'))],
    ['a signature of another body', 400, () => sendRaw(world.daemon, `${body} `, stripeSignature(body, secret))],
    [
      'a signature with a changed time',
      400,
      () => sendRaw(world.daemon, body, `t=${now() - 1},v1=${v1(stripeSignature(body, secret))}`),
    ],
    ['a signature without its time', 400, () => sendRaw(world.daemon, body, `v1=${v1(stripeSignature(body, secret))}`)],
    [
      'a signature with an outdated scheme',
      400,
      () => sendRaw(world.daemon, body, stripeSignature(body, secret).replace('v1=', 'v0=')),
    ],
    [
      'a valid signature of a body that is not an event',
      400,
      () => sendRaw(world.daemon, '[]', stripeSignature('[]', secret)),
    ],
    [
      'a valid signature of a body that is not JSON',
      400,
      () => sendRaw(world.daemon, '{', stripeSignature('{', secret)),
    ],
    ['a valid signature of an empty body', 400, () => sendRaw(world.daemon, '', stripeSignature('', secret))],
  ])('to a webhook request with %s, the server returns %i', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    if (status === 400) expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
  });
});

test.each(databases)('deleting a plan during its purchase fails or leads to a refund, on $name', async (database) => {
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
