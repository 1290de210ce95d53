import type { Evidence } from './evidence.ts';

/**
 * Returns a text for health and for messages of checks: no host answers through this route. It names up to three hosts
 * that were asked, and the time of the last answer.
 */
export function describeNoAnswer(
  key: string,
  { answeredHosts, lastContactMonoMs }: Evidence,
  { nowMonoMs, given }: { nowMonoMs: number; given: boolean },
): string {
  const seconds = Math.max(0, Math.round((nowMonoMs - lastContactMonoMs) / 1000));
  const names = [...answeredHosts.keys()].slice(-3);
  const who = given ? 'none of the hosts of UPTIME_GATEWAY_CHECK answers' : 'no host answers';
  const since = lastContactMonoMs === -Infinity ? '' : `, the last answer came ${seconds} s ago`;
  return `${who} by ${key}${names.length === 0 ? '' : ` (asked: ${names.join(', ')})`}${since}`;
}
