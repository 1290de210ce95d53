import { mergeChanges, type ScheduleChange } from '../core/schedule-change.ts';

/**
 * When probes check monitors next. This process computes the times from the results that it received from the probes.
 */
export interface RemoteSchedule {
  note(changes: readonly ScheduleChange[], now: number): void;
  /** Returns when any region checks the monitor next, in epoch milliseconds; null if that is not known. */
  nextAt(monitor: number, now: number): number | null;
}

/** Entries that are older than this are forgotten, such as those of deleted monitors. */
const forgottenAfterMs = 3_600_000;

export function createRemoteSchedule(): RemoteSchedule {
  const byMonitor = new Map<number, Map<number, number>>();
  let cleanedAt = 0;
  const clean = (now: number) => {
    cleanedAt = now;
    for (const [monitor, regions] of byMonitor)
      if (Math.max(...regions.values()) < now - forgottenAfterMs) byMonitor.delete(monitor);
  };
  return {
    note(changes, now) {
      if (now - cleanedAt > forgottenAfterMs) clean(now);
      for (const { monitor, region, nextAt } of mergeChanges(changes)) {
        if (nextAt === null) continue;
        const regions = byMonitor.get(monitor) ?? new Map<number, number>();
        byMonitor.set(monitor, regions.set(region, nextAt));
      }
    },
    nextAt(monitor, now) {
      const times = [...(byMonitor.get(monitor)?.values() ?? [])].filter((at) => at >= now);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}
