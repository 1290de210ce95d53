import type { Evidence } from './evidence.ts';

/**
 * Returns a text which says that no host answers through this route. The health report and the messages of checks use
 * it. The text names up to three hosts that answered earlier, and the time of the last answer.
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
  return `${who} through ${key}${names.length === 0 ? '' : ` (asked: ${names.join(', ')})`}${since}`;
}
