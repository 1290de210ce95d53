import { type Fault, faultAt, type NormalMonitor, type PlanRemedy } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { type Allowance, type Limit, limitsBeyond, needOf } from '../core/limits.ts';
import { ServiceError } from '../errors.ts';
import type { Tables } from '../store/tables.ts';
import type { Plan, PlanRules } from './account-plan.ts';
import { suggestPlan } from './suggest-plan.ts';

export interface Asked {
  fields: NormalMonitor;
  /** The fields of the monitor before the edit; null for a new monitor. */
  before: NormalMonitor | null;
  /** Whether the edit resumes a monitor that the plan paused. */
  resumes: boolean;
}

/**
 * Throws `plan_limit_exceeded` if a new monitor or an edit asks for more than the account's plan allows. The error
 * names each exceeded limit and its value, and a plan that would allow the change. For an edit, only the changed values
 * are compared with the plan. So a paused monitor that already exceeded the plan can still be edited. The transaction
 * must have locked the account (`lockedPlanIfLimited`).
 */
export async function refuseBeyondPlan(
  trx: Transaction<Tables>,
  { user, plan, rules }: { user: string; plan: Plan; rules: PlanRules },
  { fields, before, resumes }: Asked,
): Promise<void> {
  const whole = before === null || resumes;
  const need = needOf(fields);
  const had = before && needOf(before);
  const asked: Partial<Allowance> = {
    ...((whole || need.checkInterval !== had?.checkInterval) && { checkInterval: need.checkInterval }),
    ...((whole || need.regions !== had?.regions) && { regions: need.regions }),
    ...(whole && { monitors: (await countMonitors(trx, user)) + (before ? 0 : 1) }),
  };
  const beyond = limitsBeyond(asked, plan);
  if (beyond.length === 0) return;
  // The suggested plan must allow all monitors of the account, so that a change to that plan pauses no monitor.
  const monitors = asked.monitors ?? (await countMonitors(trx, user));
  const wanted = { ...need, ...asked, monitors };
  const remedy = await suggestPlan(trx, rules, (other) => limitsBeyond(wanted, other).length === 0);
  const faults = beyond.map((limit, at) => {
    const isLast = at === beyond.length - 1;
    return faultOf(limit, { plan, asked, remedy: isLast ? remedy : null });
  });
  const detail = faults.map(({ path, message }) => `${path} ${message}`.trim()).join(' ');
  throw new ServiceError('plan_limit_exceeded', detail, { faults });
}

/** Returns the fault for an exceeded limit. The path of the fault names the field that exceeds the limit. */
function faultOf(
  limit: Limit,
  { plan, asked, remedy }: { plan: Plan; asked: Partial<Allowance>; remedy: PlanRemedy | null },
): Fault {
  const { name } = plan;
  // Values that the request leaves out exceed no limit.
  const { monitors = 0, checkInterval = 0, regions = 0 } = asked;
  switch (limit) {
    case 'monitors':
      return faultAt('', 'too_many_monitors', { plan: name, maxCount: plan.monitors, count: monitors, remedy });
    case 'checkInterval':
      return faultAt('interval', 'interval_too_short', {
        plan: name,
        minInterval: plan.checkInterval,
        asked: checkInterval,
        remedy,
      });
    case 'regions':
      return faultAt('regions', 'too_many_regions', { plan: name, maxCount: plan.regions, count: regions, remedy });
    default:
      return limit satisfies never;
  }
}

async function countMonitors(trx: Transaction<Tables>, user: string): Promise<number> {
  const { count } = await trx
    .selectFrom('monitor')
    .innerJoin('project', 'project.id', 'monitor.project_id')
    .select((of) => of.fn.countAll<number | string>().as('count'))
    .where('project.user_id', '=', user)
    .executeTakeFirstOrThrow();
  return Number(count);
}
