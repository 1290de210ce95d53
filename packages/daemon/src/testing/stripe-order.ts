import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createPlans } from './billing.ts';
import type { TestDatabaseKind } from './databases.ts';
import { passingCheck } from './passing-check.ts';
import { monthSeconds, type StripeEvent, stripeEvents } from './stripe-events.ts';
import { accept, webhookSecret } from './stripe-webhook.ts';
import { createTestDaemon } from './test-daemon.ts';

const free = { name: 'Free', monitors: 1, checkInterval: 60, regions: 1, price: 0 };
const team = { name: 'Team', monitors: 3, checkInterval: 10, regions: 1, price: 19.99 };

/**
 * Posts the events of many subscriptions in order. Posts the same events for other subscriptions in random order, some
 * of them twice. Expects the same states of both groups of subscriptions at the end.
 */
export async function expectSameInAnyOrder(
  database: TestDatabaseKind,
  { subscriptions, events }: { subscriptions: number; events: number },
): Promise<void> {
  const env = { UPTIME_BILLING: 'stripe', UPTIME_STRIPE_WEBHOOK_SECRET: webhookSecret };
  const daemon = await createTestDaemon({ database, runCheck: passingCheck, env });
  try {
    const [, made] = await createPlans(daemon, [free, team]);
    const stateOf = async (prefix: string) =>
      (await daemon.store.db.selectFrom('subscription').selectAll().orderBy('id').execute())
        .filter(({ id }) => id.startsWith(prefix))
        .map((row) => ({ ...row, id: row.id.slice(prefix.length), user_id: row.user_id?.slice(prefix.length) }));

    const given = histories(made!.id, subscriptions);
    await fc.assert(
      fc.asyncProperty(given, fc.infiniteStream(fc.nat()), async (inOrder, dice) => {
        const repeated = inOrder.flatMap((event) => (dice.next().value! % 4 === 0 ? [event, event] : [event]));
        const shuffled = repeated
          .map((event) => ({ event, at: dice.next().value! }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ event }) => event);
        expect(shuffled.length).toBeGreaterThan(events);
        // The events in order and the shuffled events are about different subscriptions and users.
        const named = (some: readonly StripeEvent[], prefix: string) =>
          some.map((event) => JSON.parse(JSON.stringify(event).replaceAll('@', prefix)) as StripeEvent);
        await accept(daemon, named(inOrder, 'a_'));
        const chunks = Map.groupBy(named(shuffled, 'b_').entries(), ([index]) => index % 8);
        await Promise.all(
          [...chunks.values()].map((chunk) =>
            accept(
              daemon,
              chunk.map(([, event]) => event),
            ),
          ),
        );
        const [one, other] = [await stateOf('a_'), await stateOf('b_')];
        expect(one.length).toBeGreaterThan(subscriptions / 2);
        expect(other).toEqual(one);
      }),
      { numRuns: 1 },
    );
  } finally {
    await daemon.close();
  }
}

/**
 * The events of subscriptions in the order of their times. The caller replaces each `@` with a prefix, so that the same
 * events can be posted for other subscriptions.
 */
const histories = (plan: string, subscriptions: number): fc.Arbitrary<StripeEvent[]> =>
  fc
    .array(fc.array(fc.constantFrom('renewed', 'failed', 'deleted' as const), { minLength: 3, maxLength: 6 }), {
      minLength: subscriptions,
      maxLength: subscriptions + 10,
    })
    .map((lives) =>
      lives
        .flatMap((life, index) => {
          const at = 1_700_000_000 + index;
          const events = stripeEvents({ subscription: `@sub_${index}`, user: `@user_${index}`, plan, at });
          const later = life.flatMap((what, month) => {
            const on = at + (month + 1) * monthSeconds;
            return what === 'deleted' ? [events.deleted(on)] : events[what](on);
          });
          return [...events.bought, ...later];
        })
        .toSorted((a, b) => a.created - b.created),
    );
