import type { Transaction } from 'kysely';
import { type BillingEvent, foldSubscription } from '../core/subscription.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { PlanRules } from './account-plan.ts';
import { fitAccount } from './fit-account.ts';

/**
 * Records an event of the payment provider, and makes the user's account fit the subscription. Ignores an event that is
 * already recorded. Resolves with the user of the subscription; null if no event has named the user yet.
 */
export async function recordBillingEvent(
  trx: Transaction<Tables>,
  event: BillingEvent,
  fitting: { rules: PlanRules; now: number },
): Promise<string | null> {
  // This statement locks the subscription, so that the later of two simultaneous events sees the earlier event.
  const { user_id: owner } = await trx
    .insertInto('subscription')
    .values({
      id: event.subscription,
      user_id: null,
      plan_id: null,
      status: 'incomplete',
      period_start: null,
      period_end: null,
      since: event.at,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: event.subscription }))
    .returning('user_id')
    .executeTakeFirstOrThrow();
  const taken = await trx
    .insertInto('billing_event')
    .values({ id: event.id, subscription: event.subscription, event: JSON.stringify(event) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) return owner;

  const events = await trx
    .selectFrom('billing_event')
    .select('event')
    .where('subscription', '=', event.subscription)
    .execute();
  const state = foldSubscription(events.map((row) => JSON.parse(row.event) as BillingEvent))!;
  await trx
    .updateTable('subscription')
    .set({
      user_id: state.user,
      plan_id: state.plan,
      status: state.status,
      period_start: state.periodStart,
      period_end: state.periodEnd,
      since: state.since,
    })
    .where('id', '=', event.subscription)
    .execute();
  if (state.user !== null) await fitAccount(trx, state.user, fitting);
  return state.user;
}

/**
 * Whether an event has reported the beginning of a subscription. Without such an event, the subscription may have begun
 * before its stored `since`.
 */
export async function isBeginningKnown(db: Store['db'], subscription: string): Promise<boolean> {
  const rows = await db.selectFrom('billing_event').select('event').where('subscription', '=', subscription).execute();
  return rows.some(({ event }) => ['created', 'checkout'].includes((JSON.parse(event) as BillingEvent).kind));
}
