import type { Context } from '../../context.ts';
import type { SettingFlags } from '../../settings.ts';
import { amountOf, readUsage, wordsOf } from '../../usage/read-usage.ts';
import type { Finding } from './finding.ts';

/** Doctor warns of a limit if more than this share of it is used. */
const warnAbove = 0.8;

/**
 * Returns a warning for each limit that is nearly used up: limits of the plan, and limits of messages. If no limit is
 * nearly used up, returns one finding that the limits of the plan are fine, or no findings if there is no plan. Also
 * returns no findings if the server does not report the use of limits.
 */
export async function examineLimits(flags: SettingFlags, context: Context): Promise<Finding[]> {
  const usage = await readUsage(await context.connect(flags), context.signal);
  if (!usage) return [];
  const near = usage.limits.flatMap((of): Finding[] => {
    if (of.limit === null || of.used <= warnAbove * of.limit) return [];
    const says = `${wordsOf(of)}: ${of.used} of ${amountOf(of, of.limit)} that the plan ${usage.plan} allows`;
    return [
      {
        what: 'limits',
        state: 'warning',
        says,
        next: 'type `uptime usage`; delete resources, or choose a larger plan',
      },
    ];
  });
  const { mails, calls } = usage.messages;
  for (const [name, { used, limit }] of [['mails', mails] as const, ['SMS and calls', calls] as const]) {
    if (limit === null || used <= warnAbove * limit) continue;
    const says = `${name}: ${used} of ${limit} a day; when the limit is reached, alarms wait`;
    near.push({
      what: 'limits',
      state: 'warning',
      says,
      next: 'type `uptime channels list` to see which channels wait',
    });
  }
  if (near.length > 0) return near;
  if (usage.plan === null) return [];
  return [
    {
      what: 'limits',
      state: 'ok',
      says: `at most ${100 * warnAbove} % of each limit of the plan ${usage.plan} is used`,
    },
  ];
}
