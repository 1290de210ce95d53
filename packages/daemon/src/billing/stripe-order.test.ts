import { test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { expectSameInAnyOrder } from '../testing/stripe-order.ts';

// stripe-order.soak.ts runs the same test with a thousand events.
const size = { subscriptions: 8, events: 50 };

test.each(databases)(
  'Stripe events that are shuffled and repeated have the same result as in their original order, on $name',
  (database) => expectSameInAnyOrder(database, size),
);
