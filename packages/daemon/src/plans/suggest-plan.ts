import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { freePlan, type Plan, type PlanRules, plansMade } from './account-plan.ts';

/**
 * Returns a sentence for the user, which names the cheapest available plan that `fits`. On a server without payments,
 * the sentence says what else to do.
 */
export async function suggestPlan(
  trx: Transaction<Tables>,
  { charged }: PlanRules,
  fits: (plan: Plan) => boolean,
): Promise<string> {
  if (!charged) return 'Delete some, or ask the operator of this server.';
  const made = await plansMade(trx);
  const free = freePlan(made);
  const onOffer = made.filter(({ id, price }) => price > 0 || id === free.id);
  const [cheapest] = onOffer.filter(fits).toSorted((a, b) => a.price - b.price);
  return cheapest
    ? `The plan ${cheapest.name} (${cheapest.price} USD a month) has room for it.`
    : 'No plan has room for it.';
}
