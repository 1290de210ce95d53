import type { Fault, NormalMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { type Allowance, cheapestFor, type Limit, limitsBeyond, needOf } from '../../core/limits.ts';
import { ServiceError } from '../../errors.ts';
import type { Tables } from '../../store/tables.ts';
import { accountPlan, freePlan, type Plan, plansMade } from './account-plan.ts';

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
 * the plan before may stay so, paused. Returns the plan.
 */
export async function refuseBeyondPlan(
  trx: Transaction<Tables>,
  user: string,
  { fields, before, resumes }: Asked,
): Promise<Plan> {
  const plan = await accountPlan(trx, user, true);
  const whole = before === null || resumes;
  const need = needOf(fields);
  const had = before && needOf(before);
  const asked: Partial<Allowance> = {
    ...((whole || need.checkInterval !== had?.checkInterval) && { checkInterval: need.checkInterval }),
    ...((whole || need.regions !== had?.regions) && { regions: need.regions }),
    ...(whole && { monitors: (await countMonitors(trx, user)) + (before ? 0 : 1) }),
  };
  const beyond = limitsBeyond(asked, plan);
  if (beyond.length === 0) return plan;
  const made = await plansMade(trx);
  const free = freePlan(made);
  // Plans that the account can have and that hold all its monitors, so that a change to one pauses nothing.
  const onOffer = made.filter(({ id, price }) => price > 0 || id === free.id);
  const monitors = asked.monitors ?? (await countMonitors(trx, user));
  const enough = cheapestFor(onOffer, { ...need, ...asked, monitors });
  const remedy = enough
    ? `The plan ${enough.name} (${enough.price} USD a month) has room for it.`
    : 'No plan has room for it.';
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
