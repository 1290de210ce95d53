import { noLimit, planLimitNames, planLimits } from '@uptime/sdk/contract';
import { hourMs } from '../core/uptime.ts';
import { planIfLimited } from '../plans/account-plan.ts';
import { usageOf } from '../plans/usage.ts';
import { type MessageUsage, messageUsage } from '../alerting/message-budget/message-counts.ts';
import type { Store } from '../store/store.ts';
import type { Handler } from './handler.ts';

/** Rounds a number, such as a number of megabytes, to two decimal places. */
const hundredths = (value: number): number => Math.round(value * 100) / 100;

export const getUsage: Handler<'getUsage'> = async ({ project }, backend) => {
  const { store, plans, messageRules, checksOf } = backend;
  const now = backend.deps.clock.now();
  const plan = await planIfLimited(store.db, project.user_id, plans);
  const used = await usageOf(store.db, project);
  const { inFlight, waiting } = await checksOf(project.id);
  const messages = await messageUsage(store.db, messageRules.limits, {
    project: project.id,
    account: project.user_id,
    now,
  });
  return {
    plan: plan && plan.name,
    limits: planLimitNames.map((name) => ({
      name,
      scope: planLimits[name].scope,
      unit: planLimits[name].unit,
      used: hundredths(used[name]),
      limit: plan === null || plan[name] === noLimit ? null : plan[name],
    })),
    perMonitor: { checkInterval: plan && plan.checkInterval, regions: plan && plan.regions },
    checks: {
      perMinute: hundredths(await checksPerMinute(store.db, project.id, now)),
      underWay: inFlight,
      waiting,
    },
    messages: { mails: daily(messages.mail), calls: daily(messages.phone) },
  };
};

const daily = ({ used, maxMessages }: MessageUsage) => ({ used, limit: maxMessages });

/**
 * Resolves with the average number of checks a minute since the start of the last full hour. The query names two hours
 * in place of a range. So the database uses the primary key (hour, monitor, region), and reads only the project's rows.
 */
async function checksPerMinute(db: Store['db'], project: string, now: number): Promise<number> {
  const firstHour = Math.floor(now / hourMs) - 1;
  const { checks } = await db
    .selectFrom('check_hour')
    .select((of) => of.fn.sum<number | string | null>('checks').as('checks'))
    .where('hour', 'in', [firstHour, firstHour + 1])
    .where('monitor', 'in', db.selectFrom('monitor').select('seq').where('project_id', '=', project))
    .executeTakeFirstOrThrow();
  return (60_000 * Number(checks ?? 0)) / (now - firstHour * hourMs);
}
