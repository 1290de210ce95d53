import { test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { expectSameInAnyOrder } from '../testing/stripe-order.ts';

test.each(databases)(
  '1,000 Stripe events that are shuffled and repeated have the same result as in their original order, on $name',
  (database) => expectSameInAnyOrder(database, { subscriptions: 100, events: 1000 }),
);
