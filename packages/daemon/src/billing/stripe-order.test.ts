import { test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { expectSameInAnyOrder } from '../testing/stripe-order.ts';

// A short version of stripe-order.soak.ts, which sends a thousand events.
const size = { subscriptions: 8, events: 50 };

test.each(databases)(
  'Stripe events that are shuffled and repeated have the same result as in their original order, on $name',
  (database) => expectSameInAnyOrder(database, size),
);
