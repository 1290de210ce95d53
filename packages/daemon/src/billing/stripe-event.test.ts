import { expect, test } from 'vitest';
import { readStripeEvent } from './stripe-event.ts';

const read = (type: string, object: object) =>
  readStripeEvent({ id: 'evt_1', type, created: 1_700_000_000, data: { object } });

test.each([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['canceled', 'canceled'],
  ['unpaid', 'canceled'],
  ['paused', 'canceled'],
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'incomplete'],
  ['unknown', 'incomplete'],
])('the status %s of a subscription at Stripe becomes the status %s', (theirs, ours) => {
  expect(read('customer.subscription.updated', { id: 'sub_1', status: theirs })).toMatchObject({ status: ours });
});

test("Stripe's event that a subscription was deleted sets the status canceled, whatever status the event names", () => {
  expect(read('customer.subscription.deleted', { id: 'sub_1', status: 'active' })).toMatchObject({
    kind: 'deleted',
    status: 'canceled',
  });
});

test.each([
  ['paid', 'active'],
  ['no_payment_required', 'active'],
  ['unpaid', null],
])('a checkout with the payment status %s gives the subscription the status %s', (payment_status, status) => {
  const session = { subscription: 'sub_1', payment_status };
  expect(read('checkout.session.completed', session)).toMatchObject({ kind: 'checkout', status });
});

test('if a checkout has no metadata, its `client_reference_id` names the buyer', () => {
  const session = { subscription: 'sub_1', client_reference_id: 'ada' };
  expect(read('checkout.session.completed', session)).toMatchObject({ user: 'ada', plan: null });
  const both = { ...session, metadata: { userId: 'grace', planId: 'pln_1' } };
  expect(read('checkout.session.completed', both)).toMatchObject({ user: 'grace', plan: 'pln_1' });
});

test('readStripeEvent finds the subscription whether Stripe sends its id or the whole object', () => {
  for (const subscription of ['sub_1', { id: 'sub_1', object: 'subscription' }]) {
    expect(read('checkout.session.completed', { subscription })).toMatchObject({ subscription: 'sub_1' });
    expect(read('invoice.paid', { subscription })).toMatchObject({ subscription: 'sub_1' });
    const parent = { subscription_details: { subscription, metadata: { userId: 'ada' } } };
    expect(read('invoice.paid', { parent })).toMatchObject({ subscription: 'sub_1', user: 'ada' });
  }
});

test('readStripeEvent takes the period of an invoice from the invoice line with the latest end', () => {
  const period = (start: number, end: number) => ({ period: { start, end } });
  const lines = { data: [period(10, 20), period(20, 50), { period: null }, period(15, 30)] };
  expect(read('invoice.paid', { subscription: 'sub_1', lines })).toMatchObject({
    periodStart: 20_000,
    periodEnd: 50_000,
  });
});

test('readStripeEvent ignores an event of another type, or without a subscription', () => {
  expect(read('charge.succeeded', {})).toBeNull();
  expect(read('toString', {})).toBeNull();
  expect(read('invoice.paid', {})).toBeNull();
  expect(read('checkout.session.completed', { payment_status: 'paid' })).toBeNull();
});

test.each<[string, object]>([
  ['an impossible time', { id: 'sub_1', status: 'active', current_period_end: 253_402_300_800 }],
  ['a negative time', { id: 'sub_1', status: 'active', current_period_end: -1 }],
  ['a NUL in its id', { id: 'sub_\0', status: 'active' }],
  ['a NUL in its metadata', { id: 'sub_1', status: 'active', metadata: { userId: 'a\0' } }],
])('readStripeEvent throws for an event with %s', (_, object) => {
  expect(() => read('customer.subscription.updated', object)).toThrow();
});
