import { test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { expectSameInAnyOrder } from '../testing/stripe-order.ts';

// A thousand events on PostgreSQL are a soak.
const sizes = { sqlite: { subscriptions: 100, events: 1000 }, postgres: { subscriptions: 30, events: 240 } };

test.each(databases)(
  'events on $name, shuffled and repeated, come to the same as in order',
  { timeout: 120_000 },
  (database) => expectSameInAnyOrder(database, sizes[database.name]),
);
