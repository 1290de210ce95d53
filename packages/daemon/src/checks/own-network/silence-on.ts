import type { Evidence } from './evidence.ts';

/** Describes that no host answers by a route, which hosts were asked, and since when. */
export function silenceOn(
  key: string,
  { answeredHosts, lastContact }: Evidence,
  { now, given }: { now: number; given: boolean },
): string {
  const seconds = Math.max(0, Math.round((now - lastContact) / 1000));
  const names = [...answeredHosts.keys()].slice(-3);
  const who = given ? 'none of the hosts of UPTIME_GATEWAY_CHECK answers' : 'no host answers';
  const since = lastContact === -Infinity ? '' : `, the last answer came ${seconds} s ago`;
  return `${who} by ${key}${names.length === 0 ? '' : ` (asked: ${names.join(', ')})`}${since}`;
}
