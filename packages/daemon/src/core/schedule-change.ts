import { faultRetryDelayMs, followingCheckAt, phaseOf } from './schedule.ts';

/** The effect of a finished check on the schedule of its monitor in its region. */
export interface ScheduleChange {
  monitor: number;
  region: number;
  /** When the next check is due, in epoch milliseconds; null does not change that time. */
  nextAt: number | null;
  /**
   * Whether the check held the claim of the monitor. If so, that claim ends. If not, `nextAt` may only delay the next
   * check.
   */
  release: boolean;
}

/** The fields of a finished check that the schedule depends on. */
export interface ScheduledEnd {
  monitor: number;
  region: number;
  begunAt: number;
  at: number;
  intervalMs: number;
  verdict: 'up' | 'down' | 'internal';
  requested: boolean;
  /** Whether a later check of the monitor runs, or already has a verdict (`over`). */
  later: 'none' | 'running' | 'over';
  /** The time for which the checker itself has been unable to check this monitor. */
  unobservedForMs: number;
}

/**
 * Returns how a check changes the schedule, or null if it does not.
 * - A check holds the claim of the monitor unless a later check has begun.
 * - A requested check never changes the due time of the next check.
 * - A checker fault is retried soon after the check began. So it delays the detection of an outage by no more than a
 *   failed check does.
 */
export function scheduleAfter(check: ScheduledEnd): ScheduleChange | null {
  const { monitor, region, begunAt, at, intervalMs, verdict, requested, later } = check;
  const change = { monitor, region, release: later === 'none' };
  if (requested) return change.release ? { ...change, nextAt: null } : null;
  if (later === 'over') return null;
  if (verdict === 'internal') {
    const retryAt = Math.min(begunAt, at) + faultRetryDelayMs(check.unobservedForMs, intervalMs);
    return change.release ? { ...change, nextAt: Math.max(at, retryAt) } : null;
  }
  const phase = phaseOf(monitor, region, intervalMs);
  return { ...change, nextAt: followingCheckAt({ begunAt, at, failed: verdict === 'down' }, intervalMs, phase) };
}

/** All changes of one row of the schedule, merged into one change. */
export interface MergedChange {
  monitor: number;
  region: number;
  /** When the next check is due; null does not change that time. */
  nextAt: number | null;
  /** The next check is not due before this time; 0 for no limit. */
  notBefore: number;
  release: boolean;
}

/**
 * Merges changes in their order, so that each row of the schedule changes only once. The result is in the order of
 * monitors.
 */
export function mergeChanges(changes: readonly ScheduleChange[]): MergedChange[] {
  const merged = new Map<string, MergedChange>();
  for (const { monitor, region, nextAt, release } of changes) {
    const key = `${monitor} ${region}`;
    const known = merged.get(key) ?? { monitor, region, nextAt: null, notBefore: 0, release: false };
    if (release && nextAt !== null) merged.set(key, { ...known, nextAt, notBefore: 0, release });
    else
      merged.set(key, {
        ...known,
        notBefore: Math.max(known.notBefore, nextAt ?? 0),
        release: known.release || release,
      });
  }
  return [...merged.values()].toSorted((a, b) => a.monitor - b.monitor || a.region - b.region);
}
