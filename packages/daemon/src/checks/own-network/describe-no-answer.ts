import type { Evidence } from './evidence.ts';

/**
 * Returns a text which says that no host answers through this route, and when the last answer came. The health report
 * and the messages of checks use it. The text names no hosts, because they may be targets of other projects.
 */
export function describeNoAnswer(
  key: string,
  { lastContactMonoMs }: Pick<Evidence, 'lastContactMonoMs'>,
  { nowMonoMs, given }: { nowMonoMs: number; given: boolean },
): string {
  const seconds = Math.max(0, Math.round((nowMonoMs - lastContactMonoMs) / 1000));
  const who = given ? 'none of the hosts of UPTIME_GATEWAY_CHECK answers' : 'no host answers';
  const since = lastContactMonoMs === -Infinity ? '' : `, the last answer came ${seconds} s ago`;
  return `${who} through ${key}${since}`;
}
