import type { Probe } from '../store/tables.ts';
import { silentAfterMs } from './regions.ts';

/** After a probe reports that most of its checks give no verdict, other probes check in its place for this time. */
const restMs = 5 * 60_000;
/**
 * A probe counts as working if its last report of checks without a verdict is older than `restMs` plus this time. The
 * extra time matters after a fault that affected all probes of a region. Without it, the first probe whose report is
 * older than `restMs` would get all monitors for a while.
 */
const workingAfterMs = 60_000;

/**
 * Returns the names of the probes that rest. A probe rests if it reported checks without a verdict less than `restMs`
 * ago, and another probe of its region works. `probes` are all probes of one or more regions.
 */
export function restingProbes(
  probes: readonly Pick<Probe, 'name' | 'region' | 'seen_at' | 'failed_at'>[],
  now: number,
): ReadonlySet<string> {
  const live = probes.filter(({ seen_at: seenAt }) => seenAt >= now - silentAfterMs);
  const isWithoutFault = (failedAt: number | null, forMs: number) => failedAt === null || failedAt <= now - forMs;
  const working = live.filter(({ failed_at: failedAt }) => isWithoutFault(failedAt, restMs + workingAfterMs));
  const regions = new Set(working.map(({ region }) => region));
  const resting = live.filter(({ region, failed_at: at }) => regions.has(region) && !isWithoutFault(at, restMs));
  return new Set(resting.map(({ name }) => name));
}

/** Returns why a probe cannot check; null if it can. A resting probe has no checks, so it reports no fault itself. */
export const probeFault = ({ name, fault, failed_at: failedAt }: Probe, resting: ReadonlySet<string>): string | null =>
  fault ??
  (resting.has(name) && failedAt !== null
    ? `Most of its checks gave no verdict at ${new Date(failedAt).toISOString()}. For five minutes after that, other probes check in its place.`
    : null);
