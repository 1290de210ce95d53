/**
 * A second model of how statuses follow from the results of several regions, written only from docs/regions.md. Tests
 * compare it with what recording stores.
 */

/** A result as a probe sends it. */
export interface SentResult {
  at: number;
  failed: boolean;
}

/** Results that the probe of a region kept until it could send them. They reach the server together at `now`. */
export interface Arrival {
  now: number;
  region: string;
  results: readonly SentResult[];
}

export interface NaiveChange {
  to: 'up' | 'down';
  at: number;
}

/** The time in which the server did not run. */
export interface Stop {
  from: number;
  until: number;
}

/** Returns all changes of status of a monitor that has been checked since `begunAt`. */
export function statusChanges(
  regions: readonly string[],
  arrivals: readonly Arrival[],
  { begunAt, intervalMs, stop = null }: { begunAt: number; intervalMs: number; stop?: Stop | null },
): NaiveChange[] {
  const changes: NaiveChange[] = [];
  const latest = new Map<string, SentResult>();
  const known = new Set<string>();
  for (const { now, region, results } of arrivals) {
    for (const [place, result] of results.entries()) {
      const name = `${region} ${result.at}`;
      if (known.has(name)) continue;
      known.add(name);
      const isContradicted = results.slice(place + 1).some(({ failed }) => failed !== result.failed);
      if (isContradicted || result.at < now - 3 * intervalMs) continue;
      latest.set(region, result);
      const last = changes.at(-1);
      const silentMs = (one: string) => runningMs(Math.max(begunAt, latest.get(one)?.at ?? 0), now, stop);
      const counted = regions.filter((one) => silentMs(one) <= 3 * intervalMs);
      const share = (failed: boolean) => counted.filter((one) => latest.get(one)?.failed === failed).length;
      const at = Math.max(result.at, last?.at ?? 0);
      if (share(true) * 2 > counted.length && last?.to !== 'down') changes.push({ to: 'down', at });
      if (share(false) * 2 > counted.length && last?.to !== 'up') changes.push({ to: 'up', at });
    }
  }
  return changes;
}

/** After a start of the server, probes may need this long to connect again. */
const reconnectMs = 15_000;

/** Returns for how long probes could report between two times, in milliseconds. */
function runningMs(from: number, until: number, stop: Stop | null): number {
  if (!stop || until <= stop.from || from >= stop.until + reconnectMs) return until - from;
  return Math.max(0, stop.from - from) + Math.max(0, until - stop.until - reconnectMs);
}
