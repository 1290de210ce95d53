import { beforeEach, describe, expect, test } from 'vitest';
import { checkout, createPlans } from '../testing/billing.ts';
import { stripeEvents } from '../testing/stripe-events.ts';
import { accept, send } from '../testing/stripe-webhook.ts';
import type { TestUser } from '../testing/test-daemon.ts';
import { createStripeWorld, userOf, team } from '../testing/stripe-world.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('Stripe', () => {
  const world = createStripeWorld();

  describe('a plan that is deleted during a purchase', () => {
    let gone: string;
    let buyer: TestUser;
    let buyerId: string;
    let count = 0;
    const asAdmin = () => ({ cookie: world.daemon.cookie });
    const remove = async () =>
      expect(await world.daemon.request('DELETE', `/api/billing/plans/${gone}`, undefined, asAdmin())).toMatchObject({
        status: 204,
      });
    const bought = (subscription: string, at = now()) => {
      world.stripe.payments.set(subscription, { refunded: false });
      return stripeEvents({ subscription, user: buyerId, plan: gone, at });
    };
    const changes = (from: number) =>
      world.stripe.requests.slice(from).flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
    const shown = async () =>
      (await world.daemon.request('GET', '/api/billing/subscription', undefined, { cookie: buyer.cookie })).body;
    beforeEach(async () => {
      [gone] = (await createPlans(world.daemon, [{ ...team, name: 'Gone' }])).map(({ id }) => id) as [string];
      buyer = await world.daemon.another(`buyer-${++count}`);
      buyerId = await userOf(world.daemon, buyer);
    });

    test('deleting a plan closes its open checkouts at Stripe, and leaves the checkouts of other plans open', async () => {
      const begin = async (planId: string) => {
        await checkout(world.daemon, planId, { cookie: buyer.cookie });
        return [...world.stripe.sessions.keys()].at(-1)!;
      };
      const [kept, one, paid, last] = [
        await begin(world.plan),
        await begin(gone),
        await begin(gone),
        await begin(gone),
      ];
      world.stripe.sessions.get(paid)!.status = 'complete';
      await remove();
      const status = (id: string) => world.stripe.sessions.get(id)!.status;
      expect([kept, one, paid, last].map(status)).toEqual(['open', 'expired', 'complete', 'expired']);
    });

    test('a plan is deleted even if Stripe refuses to close its checkouts', async () => {
      await checkout(world.daemon, gone, { cookie: buyer.cookie });
      world.stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
      await remove();
      world.stripe.refuse(null);
    });

    test("a late payment for a deleted plan is refunded and creates no subscription, in any order of Stripe's events", async () => {
      await remove();
      for (const [index, order] of [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [1, 3, 0, 2, 1, 3],
      ].entries()) {
        const id = `sub_late_${index}`;
        const events = bought(id, now() + index);
        const from = world.stripe.requests.length;
        await accept(
          world.daemon,
          order.map((place) => events.bought[place]!),
        );
        expect(world.stripe.payments.get(id)).toEqual({ refunded: true });
        expect(changes(from).slice(0, 2)).toEqual(['POST /v1/refunds', `DELETE /v1/subscriptions/${id}`]);
        expect(await shown()).toMatchObject({ planId: world.freePlan, status: 'active' });
        await accept(world.daemon, [events.deleted(now() + index + 2)]);
        const after = world.stripe.requests.length;
        await accept(world.daemon, events.bought);
        expect(changes(after)).toEqual([]);
        expect(await shown()).toMatchObject({ planId: world.freePlan, status: 'active' });
      }
      const again = await checkout(world.daemon, world.plan, { cookie: buyer.cookie });
      expect(again).toMatch(/^https:/);
    });

    test('if Stripe refuses the refund for a deleted plan, the daemon retries it when Stripe delivers the event again', async () => {
      await remove();
      const [, paid] = bought('sub_late_refused').bought;
      world.stripe.refuse({ status: 400, error: { type: 'invalid_request_error', message: 'Not now.' } });
      expect(await send(world.daemon, paid!)).toMatchObject([502, { code: 'delivery_failed' }]);
      world.stripe.refuse(null);
      await accept(world.daemon, [paid!]);
      expect(world.stripe.payments.get('sub_late_refused')).toEqual({ refunded: true });
    });

    test('a payment for a deleted plan does not change the subscription that the buyer has to another plan', async () => {
      const before = stripeEvents({ subscription: 'sub_in_force', user: buyerId, plan: world.plan, at: now() });
      await accept(world.daemon, before.bought);
      await remove();
      const from = world.stripe.requests.length;
      await accept(world.daemon, bought('sub_beside', now() + 5).bought);
      expect(new Set(changes(from))).toEqual(new Set(['POST /v1/refunds', 'DELETE /v1/subscriptions/sub_beside']));
      expect(await shown()).toMatchObject({ planId: world.plan, status: 'active' });
    });

    test('a payment for a plan that this server does not know, for example after the restore of a backup, is not refunded', async () => {
      const from = world.stripe.requests.length;
      const lost = stripeEvents({ subscription: 'sub_lost', user: buyerId, plan: 'pln_lost', at: now() });
      await accept(world.daemon, lost.bought);
      expect(changes(from)).toEqual([]);
      expect(await shown()).toMatchObject({ planId: world.freePlan, status: 'active' });
    });

    test('an event about a customer of another server that uses the same Stripe account changes nothing', async () => {
      const from = world.stripe.requests.length;
      const foreign = stripeEvents({
        subscription: 'sub_foreign',
        user: 'usr_foreign',
        plan: 'pln_foreign',
        at: now(),
      });
      await accept(world.daemon, foreign.bought);
      expect(changes(from)).toEqual([]);
    });

    test('after the deletion of a plan, its buyer has the free plan, and a later purchase uses the same customer at Stripe', async () => {
      const events = bought('sub_had');
      await accept(world.daemon, [...events.bought, events.deleted(now() + 2)]);
      expect(await shown()).toMatchObject({ planId: gone, status: 'canceled' });
      await remove();
      expect(await shown()).toMatchObject({ planId: world.freePlan, status: 'active' });
      world.stripe.customers.set('sub_had', { object: 'customer', id: 'cus_had' });
      await checkout(world.daemon, world.plan, { cookie: buyer.cookie });
      expect(world.stripe.requests.at(-1)!.fields).toMatchObject({ customer: 'cus_had' });
    });
  });
});
