import { planLimitNames, planLimits, planPatch, faultAt } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type * as z from 'zod';
import { invalid, notFound, ServiceError } from '../../errors.ts';
import { type Plan, planColumns, plansMade, renderPlan, selfHosted } from '../../plans/account-plan.ts';
import { fitAccounts } from '../../plans/fit-account.ts';
import { newId } from '../../store/ids.ts';
import type { Tables } from '../../store/tables.ts';
import type { Backend, Handler, OwnValidation } from '../handler.ts';
import { patchSentBack } from '../sent-back.ts';
import { endWithoutPlan } from './end-without-plan.ts';

export const listPlans: Handler<'listPlans'> = async (_, { store, billing, plans }) => {
  const made = await plansMade(store.db);
  return billing ? made : [plans.unpaid, ...made];
};

export const createPlan: Handler<'createPlan'> = async (request, backend) => {
  refuseFractions(request.body.price);
  const made = await request.create(request.body, async (trx) => {
    const plan = { id: newId('pln', backend.deps.clock.now()), ...planColumns(request.body), deleted_at: null };
    await trx.insertInto('plan').values(plan).execute();
    return renderPlan(plan);
  });
  await fit(backend);
  return made;
};

export const updatePlan: OwnValidation<'updatePlan'> = {
  validatesBody: true,
  handle: async (request, backend) => {
    const body = await patchSentBack(request.body, planPatch, () => ({ id: request.params.planId }));
    refuseFractions(body.price);
    const changed = await backend.store.write(async (trx) => {
      const before = await lockPlan(trx, request.params.planId);
      const after = { ...before, ...withDefaults(body) };
      await trx.updateTable('plan').set(planColumns(after)).where('id', '=', before.id).execute();
      return after;
    });
    await fit(backend);
    return changed;
  },
};

export const deletePlan: Handler<'deletePlan'> = async (request, backend) => {
  await backend.store.write(async (trx) => {
    const { id, name } = await lockPlan(trx, request.params.planId);
    const subscriber = await trx
      .selectFrom('subscription')
      .select('id')
      .where('plan_id', '=', id)
      .where('status', 'in', ['active', 'past_due'])
      .limit(1)
      .executeTakeFirst();
    if (subscriber) throw new ServiceError('conflict', `Accounts are subscribed to ${name}.`);
    // The row of the plan stays, so that a payment which arrives now can still be refunded.
    await trx.updateTable('plan').set({ deleted_at: backend.deps.clock.now() }).where('id', '=', id).execute();
  });
  await fit(backend);
  await closePayments(request.params.planId, backend);
};

/**
 * Closes the open checkouts of a deleted plan at the payment provider. If the provider refuses, a later payment on such
 * a checkout is refunded when its event is processed.
 */
async function closePayments(plan: string, backend: Backend): Promise<void> {
  try {
    await backend.billing?.closeCheckouts(plan);
    // A user may have paid for this plan during the delete.
    await endWithoutPlan(backend, { plan });
  } catch (error) {
    backend.deps.log.warn({ plan, err: error }, 'could not close the open checkouts of a deleted plan');
  }
}

/**
 * Resolves with a plan, and locks it until the transaction ends. Throws `not_found` for an unknown plan, and `conflict`
 * for the plan that is built in.
 */
async function lockPlan(trx: Transaction<Tables>, id: string): Promise<Plan> {
  if (id === selfHosted.id) throw new ServiceError('conflict', 'This plan is built in and cannot be changed.');
  const row = /^pln_\w+$/.test(id)
    ? await trx
        .updateTable('plan')
        .set((plan) => ({ id: plan.ref('id') }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('plan');
  return renderPlan(row);
}

/** Returns a patch of a plan in which each limit that is null is replaced by the default of that limit. */
function withDefaults(patch: z.output<typeof planPatch>): Partial<Plan> {
  const limits = planLimitNames.filter((name) => patch[name] === null);
  return { ...patch, ...Object.fromEntries(limits.map((name) => [name, planLimits[name].default])) } as Partial<Plan>;
}

const fit = ({ store, plans, deps }: Backend) => fitAccounts(store, plans, () => deps.clock.now());

function refuseFractions(price: number | undefined): void {
  if (price === undefined || Math.round(price * 100) / 100 === price) return;
  throw invalid([faultAt('price', 'bad_price')]);
}
