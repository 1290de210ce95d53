import type { PlanRemedy } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { freePlan, type Plan, type PlanRules, plansMade } from './account-plan.ts';

/** Returns the cheapest available plan that `fits`, or what else the user can do. */
export async function suggestPlan(
  trx: Transaction<Tables>,
  { charged }: PlanRules,
  fits: (plan: Plan) => boolean,
): Promise<PlanRemedy> {
  if (!charged) return 'delete';
  const made = await plansMade(trx);
  const free = freePlan(made);
  const onOffer = made.filter(({ id, price }) => price > 0 || id === free.id);
  const [cheapest] = onOffer.filter(fits).toSorted((a, b) => a.price - b.price);
  return cheapest ? { plan: cheapest.name, price: cheapest.price } : 'none';
}
