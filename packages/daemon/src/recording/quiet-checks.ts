import type { MonitorState } from '../core/monitor-state.ts';
import type { SteadyClock } from '../deps.ts';
import type { StoredState } from '../store/monitor-state-row.ts';
import type { FinishedCheck, RecordedCheck } from './record-outcome.ts';

/**
 * Whether a check is quiet: it changed only the time of the latest result of its region. That is so if the check
 * passed, and the monitor was up before and after the check. The loss of such a result does no harm, because the next
 * check finds the same state.
 */
export function isQuiet(before: MonitorState, after: MonitorState, region: number): boolean {
  const [old, seen] = [before.regions[region], after.regions[region]];
  return (
    before.status === 'up' &&
    after.status === 'up' &&
    before.unobservedSince === null &&
    before.error === null &&
    after.error === null &&
    before.failures === after.failures &&
    before.failingSince === after.failingSince &&
    old !== undefined &&
    seen !== undefined &&
    old.at !== null &&
    !old.failed &&
    !seen.failed &&
    old.round === seen.round &&
    old.began === seen.began &&
    Object.entries(after.regions).every(
      ([number, view]) => Number(number) === region || view === before.regions[Number(number)],
    )
  );
}

/**
 * If the next check of a monitor is due within this time, the result of the finished check is committed at once,
 * because the next check needs it.
 */
const dueSoonMs = 2000;

/**
 * Remembers the time of the latest check of each monitor in each region, if that check was quiet (see `isQuiet`). On
 * SQLite, such a time is at first only in this memory, and not in the stored state of the monitor. Also predicts which
 * checks will be quiet.
 */
export interface QuietChecks {
  /** Whether a check will probably be quiet, so that its commit may wait. A wrong guess only delays the commit. */
  mayWait(check: FinishedCheck): boolean;
  /** Remembers the effect of a recorded check. Call it after the commit. */
  learn(
    check: Pick<FinishedCheck, 'monitor' | 'region' | 'generation' | 'at'>,
    recorded: Pick<RecordedCheck, 'effect'>,
  ): void;
  /** Returns a monitor's stored state, with the times of later quiet checks that are only in this memory. */
  withTimes(monitor: number, state: StoredState): StoredState;
  /** When a monitor was last checked, in epoch milliseconds. `stored` is the time in its stored state. */
  lastCheckedAt(monitor: number, stored: number | null): number | null;
}

interface Latest {
  generation: number;
  /** The time of the check, minus all steps of the clock so far. So the time stays right if the clock steps later. */
  unsteppedAt: number;
}

export function createQuietChecks(clock: Pick<SteadyClock, 'renew' | 'steppedMs'>): QuietChecks {
  const byRegion = new Map<number, Map<number, Latest>>();
  const timeOf = ({ unsteppedAt }: Latest) => unsteppedAt + clock.steppedMs();
  return {
    mayWait: ({ monitor, region, generation, outcome, requested, later, begunAt, at, intervalMs }) =>
      outcome.verdict === 'up' &&
      !requested &&
      later === 'none' &&
      byRegion.get(region)?.get(monitor)?.generation === generation &&
      begunAt + intervalMs - at >= dueSoonMs,
    learn({ monitor, region, generation, at }, { effect }) {
      if (effect === 'more') byRegion.get(region)?.delete(monitor);
      if (effect !== 'time') return;
      let known = byRegion.get(region);
      if (!known) byRegion.set(region, (known = new Map<number, Latest>()));
      const unsteppedAt = clock.renew(at) - clock.steppedMs();
      known.set(monitor, { generation, unsteppedAt: Math.max(unsteppedAt, known.get(monitor)?.unsteppedAt ?? 0) });
    },
    withTimes(monitor, state) {
      let { regions, lastCheckedAt } = state;
      for (const [region, known] of byRegion) {
        const latest = known.get(monitor);
        if (!latest) continue;
        const at = timeOf(latest);
        if (lastCheckedAt !== null) lastCheckedAt = Math.max(lastCheckedAt, at);
        const view = regions[region];
        // After an edit of the target, the region has no result yet, and the remembered time belongs to the old target.
        if (!view || view.at === null || view.failed) continue;
        if (at > view.at) regions = { ...regions, [region]: { ...view, at } };
      }
      return { ...state, regions, lastCheckedAt };
    },
    lastCheckedAt(monitor, stored) {
      if (stored === null) return null;
      let last = stored;
      for (const known of byRegion.values()) {
        const latest = known.get(monitor);
        if (latest) last = Math.max(last, timeOf(latest));
      }
      return last;
    },
  };
}
