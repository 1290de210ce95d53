import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BillingEvent, billingEventKinds, foldSubscription } from './subscription.ts';

let count = 0;
const event = (kind: BillingEvent['kind'], at: number, more: Partial<BillingEvent> = {}): BillingEvent => ({
  id: `evt_${++count}`,
  at,
  kind,
  subscription: 'sub',
  user: null,
  plan: null,
  status: null,
  periodStart: null,
  periodEnd: null,
  ...more,
});

const bought = [
  event('created', 1000, { user: 'ada', plan: 'team', status: 'incomplete', periodStart: 1000, periodEnd: 5000 }),
  event('paid', 1000, { status: 'active', periodStart: 1000, periodEnd: 5000 }),
  event('checkout', 1000, { user: 'ada', plan: 'team', status: 'active' }),
];

test('a subscription becomes active when it is paid', () => {
  expect(foldSubscription([])).toBeNull();
  expect(foldSubscription(bought.slice(0, 1))?.status).toBe('incomplete');
  expect(foldSubscription(bought)).toEqual({
    user: 'ada',
    plan: 'team',
    status: 'active',
    periodStart: 1000,
    periodEnd: 5000,
    since: 1000,
  });
});

test('a failed payment makes a subscription past due, and the next successful payment makes it active again', () => {
  const failed = event('failed', 5000, { status: 'past_due', periodStart: 5000, periodEnd: 9000 });
  expect(foldSubscription([...bought, failed])).toMatchObject({ status: 'past_due', periodEnd: 5000 });
  const paid = event('paid', 6000, { status: 'active', periodStart: 5000, periodEnd: 9000 });
  expect(foldSubscription([paid, ...bought, failed])).toMatchObject({ status: 'active', periodEnd: 9000 });
});

test('a late payment does not revive a canceled subscription, and a failed first payment leaves a subscription incomplete', () => {
  const deleted = event('deleted', 7000, { status: 'canceled' });
  const late = event('paid', 8000, { status: 'active' });
  expect(foldSubscription([...bought, late, deleted])?.status).toBe('canceled');
  const failed = event('failed', 1000, { status: 'past_due' });
  expect(foldSubscription([bought[0]!, failed])?.status).toBe('incomplete');
});

test('a late payment for an earlier month does not move the period back', () => {
  const renewed = event('updated', 5000, { status: 'past_due', periodStart: 5000, periodEnd: 9000 });
  const late = event('paid', 6000, { status: 'active', periodStart: 1000, periodEnd: 5000 });
  expect(foldSubscription([...bought, renewed, late])).toMatchObject({ status: 'active', periodEnd: 9000 });
});

test('a late checkout event does not undo a later failure', () => {
  const failed = event('failed', 2000, { status: 'past_due' });
  const checkout = event('checkout', 3000, { user: 'ada', plan: 'team', status: 'active' });
  expect(foldSubscription([...bought, failed, checkout])?.status).toBe('past_due');
});

test('events of one second are applied in the order of creation, changes and end, whatever the ids of the events are', () => {
  const [deleted, updated, created] = [
    event('deleted', 1000, { status: 'canceled' }),
    event('updated', 1000, { status: 'active' }),
    event('created', 1000, { status: 'incomplete' }),
  ];
  expect(foldSubscription([updated, created])?.status).toBe('active');
  expect(foldSubscription([deleted, updated, created])?.status).toBe('canceled');
});

test('the order in which events arrive makes no difference', () => {
  const any = fc.record<BillingEvent>({
    id: fc.uuid(),
    at: fc.nat(5).map((second) => second * 1000),
    kind: fc.constantFrom(...billingEventKinds),
    subscription: fc.constant('sub'),
    user: fc.constantFrom(null, 'ada'),
    plan: fc.constantFrom(null, 'team', 'large'),
    status: fc.constantFrom(null, 'active', 'past_due', 'canceled', 'incomplete'),
    periodStart: fc.constantFrom(null, 1000, 2000),
    periodEnd: fc.constantFrom(null, 5000, 6000),
  });
  const shuffled = fc
    .uniqueArray(any, { selector: ({ id }) => id })
    .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
  fc.assert(
    fc.property(shuffled, ([events, otherwise]) => {
      expect(foldSubscription(otherwise)).toEqual(foldSubscription(events));
    }),
  );
});
