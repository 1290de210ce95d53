import type { Fault, NormalMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { type Allowance, type Limit, limitsBeyond, needOf } from '../core/limits.ts';
import { ServiceError } from '../errors.ts';
import type { Tables } from '../store/tables.ts';
import type { Plan, PlanRules } from './account-plan.ts';
import { suggestPlan } from './suggest-plan.ts';

export interface Asked {
  fields: NormalMonitor;
  /** Its fields until now; null for a new monitor. */
  before: NormalMonitor | null;
  /** Whether it resumes although the plan paused it. */
  resumes: boolean;
}

/**
 * Throws `plan_limit_exceeded` if a new monitor or an edit asks for more than the account's plan allows. The error
 * names each limit, its value and the plan that would allow it. An edit is only judged by its changes: what was beyond
 * the plan before may stay so, paused. The transaction must hold the
 * account (`lockedPlan`).
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
  // A plan that holds all monitors of the account, so that a change to it pauses none.
  const monitors = asked.monitors ?? (await countMonitors(trx, user));
  const wanted = { ...need, ...asked, monitors };
  const remedy = await suggestPlan(trx, rules, (other) => limitsBeyond(wanted, other).length === 0);
  const faults = beyond.map((limit) => faultOf(limit, plan, asked));
  faults.at(-1)!.message += ` ${remedy}`;
  const detail = faults.map(({ path, message }) => `${path} ${message}`.trim()).join(' ');
  throw new ServiceError('plan_limit_exceeded', detail, { faults });
}

/** An exceeded limit, at the field that exceeds it. */
function faultOf(limit: Limit, plan: Plan, asked: Partial<Allowance>): Fault {
  switch (limit) {
    case 'monitors':
      return {
        path: '',
        message: `The plan ${plan.name} allows ${plan.monitors} monitors, and this is number ${asked.monitors}.`,
      };
    case 'checkInterval':
      return {
        path: 'interval',
        message: `must be at least ${plan.checkInterval} with the plan ${plan.name}, not ${asked.checkInterval}.`,
      };
    case 'regions':
      return {
        path: 'regions',
        message: `must be at most ${plan.regions} with the plan ${plan.name}, not ${asked.regions}.`,
      };
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
