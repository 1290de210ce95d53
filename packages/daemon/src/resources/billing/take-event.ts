import { notFound } from '../../errors.ts';
import { liveSubscriptions } from '../../plans/account-plan.ts';
import { isBeginningKnown, recordBillingEvent } from '../../plans/record-event.ts';
import type { Backend } from '../handler.ts';
import { endWithoutPlan } from './end-without-plan.ts';

/**
 * Processes an event of the payment provider. Afterwards, asks the provider to cancel subscriptions that were replaced
 * or whose plan was deleted. If the cancellation fails, throws, so that the provider sends the event again. Throws
 * `invalid_request` for an event without the provider's signature.
 */
export async function takeBillingEvent(
  {
    store,
    billing,
    deps,
    plans: rules,
    refuseWrites,
  }: Pick<Backend, 'store' | 'billing' | 'deps' | 'plans' | 'refuseWrites'>,
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<void> {
  if (!billing) throw notFound('address');
  refuseWrites();
  const event = await billing.readEvent(body, signature);
  if (!event) return;
  const user = await store.write((trx) => {
    // Since the first call of `refuseWrites`, a move to PostgreSQL may have begun.
    refuseWrites();
    return recordBillingEvent(trx, event, { rules, now: deps.clock.now() });
  });
  if (user === null) return;
  await endWithoutPlan({ store, billing, deps }, { user });
  const [latest, ...superseded] = await liveSubscriptions(store.db, user);
  // A cancellation cannot be undone. So nothing is canceled while a later event may still show that another
  // subscription is the latest.
  if (!latest || superseded.length === 0 || !(await isBeginningKnown(store.db, latest.id))) return;
  for (const { id } of superseded) await billing.cancel(id);
}
