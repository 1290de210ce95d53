import type { Context } from '../../context.ts';
import type { SettingFlags } from '../../settings.ts';
import { amountOf, readUsage, wordsOf } from '../../usage/read-usage.ts';
import type { Finding } from './finding.ts';

/** The share of a limit above which doctor warns. */
const warnAbove = 0.8;

/** Which limits of the plan are nearly used up; nothing where nothing is limited. */
export async function examineLimits(flags: SettingFlags, context: Context): Promise<Finding[]> {
  const usage = await readUsage(await context.connect(flags), context.signal);
  if (!usage || usage.plan === null) return [];
  const near = usage.limits.flatMap((of): Finding[] => {
    if (of.limit === null || of.used <= warnAbove * of.limit) return [];
    const says = `${wordsOf(of)}: ${of.used} of ${amountOf(of, of.limit)} that the plan ${usage.plan} allows`;
    return [
      { what: 'limits', state: 'warning', says, next: 'type `uptime usage`; delete some, or choose a larger plan' },
    ];
  });
  if (near.length > 0) return near;
  return [
    { what: 'limits', state: 'ok', says: `at most ${100 * warnAbove} % used of each limit of the plan ${usage.plan}` },
  ];
}
