import { type Fault, megabyte, type PlanLimitName, type PlanRemedy, faultAt, planLimits } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { Project, Tables } from '../store/tables.ts';
import { planIfLimited, type Plan, type PlanRules } from './account-plan.ts';
import { suggestPlan } from './suggest-plan.ts';
import { accountUsageOf, type Usage, usageOf } from './usage.ts';

/**
 * How much a write adds: how many things of each limited kind, and how many bytes of storage. A value of 0 or less
 * never exceeds a limit.
 */
export interface Growth extends Partial<Record<Exclude<PlanLimitName, 'monitors' | 'storageMegabytes'>, number>> {
  bytes?: number;
}

/**
 * Throws `plan_limit_exceeded` if a write adds more to a project than the plan allows. The error names each exceeded
 * limit, its value, and how much of it is used up. The transaction must have locked the project (`lockProject`), so
 * that two simultaneous writes cannot exceed a limit together.
 */
export async function refuseGrowth(
  trx: Transaction<Tables>,
  project: Pick<Project, 'id' | 'user_id'>,
  rules: PlanRules,
  growth: Growth,
): Promise<void> {
  const added = amountsOf(growth);
  if (added.length === 0) return;
  const plan = await planIfLimited(trx, project.user_id, rules);
  if (plan) await refuseBeyond(trx, { plan, rules, added, used: await usageOf(trx, project) });
}

/**
 * A new project takes no storage. One byte is counted for it, so that it is refused if the account's storage is full.
 */
const minBytes = 1;

/**
 * Throws `plan_limit_exceeded` if a new project exceeds the plan. The transaction must have locked the account
 * (`lockedPlanIfLimited`).
 */
export async function refuseProject(
  trx: Transaction<Tables>,
  user: string,
  rules: PlanRules,
  plan: Plan | null,
): Promise<void> {
  if (!plan) return;
  const added = amountsOf({ projects: 1, bytes: minBytes });
  await refuseBeyond(trx, { plan, rules, added, used: await accountUsageOf(trx, user) });
}

type Amount = readonly [limit: PlanLimitName, by: number];

const amountsOf = ({ bytes = 0, ...counts }: Growth): Amount[] =>
  [...(Object.entries(counts) as [PlanLimitName, number][]), ['storageMegabytes', bytes / megabyte] as const].filter(
    ([, by]) => by > 0,
  );

interface Asked {
  plan: Plan;
  rules: PlanRules;
  added: readonly Amount[];
  used: Usage;
}

async function refuseBeyond(trx: Transaction<Tables>, { plan, rules, added, used }: Asked): Promise<void> {
  const fitsIn =
    (allowed: Plan) =>
    ([limit, by]: Amount): boolean =>
      used[limit] + by <= allowed[limit];
  const beyond = added.filter((amount) => !fitsIn(plan)(amount));
  if (beyond.length === 0) return;
  const remedy = await suggestPlan(trx, rules, (other) => added.every(fitsIn(other)));
  const faults = beyond.map((amount, at) =>
    faultOf(amount, { plan, used, remedy: at === beyond.length - 1 ? remedy : null }),
  );
  throw new ServiceError('plan_limit_exceeded', faults.map(({ message }) => message).join(' '), { faults });
}

function faultOf(
  [limit, by]: Amount,
  { plan, used, remedy }: { plan: Plan; used: Usage; remedy: PlanRemedy | null },
): Fault {
  const { things, scope, unit } = planLimits[limit];
  const about = { plan: plan.name, things, scope, remedy };
  return unit === 'count'
    ? faultAt('', 'too_many_things', { ...about, maxCount: plan[limit], count: used[limit] })
    : faultAt('', 'too_much_storage', { ...about, maxUsed: plan[limit], used: used[limit], added: by });
}
