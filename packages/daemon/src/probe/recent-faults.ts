import type { Clock } from '../deps.ts';

/** A check that has ended. */
export interface EndedCheck {
  monitor: number;
  project: string;
  /** Whether the check gave no verdict. */
  isFault: boolean;
  intervalMs: number;
  timeoutMs: number;
}

/** Finds out whether most monitors get no verdict now, so that another probe should check them. */
export interface RecentFaults {
  note(check: EndedCheck): void;
  /**
   * A monitor is affected if its repeated checks give no verdict. A project is affected if most of its monitors are.
   * Returns whether most monitors, and at least half of the projects, are affected. So a fault of one monitor, or of
   * one project out of three, is not enough.
   */
  areMost(): boolean;
}

/** A check without a verdict is repeated within this time. */
const maxRetryMs = 30_000;
/** A verdict counts for at most this long. */
const maxVerdictMs = 600_000;
/** The checker repeats a check without a verdict. A monitor is affected if a repeated check gave no verdict either. */
const faultsThatCount = 2;

interface MonitorFaults {
  project: string;
  /** How many of the latest checks in a row gave no verdict. */
  faults: number;
  untilMonoMs: number;
}

export function createRecentFaults(clock: Pick<Clock, 'monotonicMs'>): RecentFaults {
  const monitors = new Map<number, MonitorFaults>();
  return {
    note({ monitor, project, isFault, intervalMs, timeoutMs }) {
      const faults = isFault ? (monitors.get(monitor)?.faults ?? 0) + 1 : 0;
      // A verdict counts until the next check has certainly ended. A fault counts until the repeated check has ended.
      const countsForMs = isFault
        ? maxRetryMs + 2 * timeoutMs
        : Math.min(maxVerdictMs, Math.max(intervalMs, maxRetryMs) + 2 * timeoutMs);
      monitors.set(monitor, { project, faults, untilMonoMs: clock.monotonicMs() + countsForMs });
    },
    areMost() {
      const now = clock.monotonicMs();
      const projects = new Map<string, { affected: number; working: number }>();
      for (const [monitor, { project, faults, untilMonoMs }] of monitors) {
        if (untilMonoMs <= now) monitors.delete(monitor);
        else if (faults === 0 || faults >= faultsThatCount) {
          const counts = projects.get(project) ?? { affected: 0, working: 0 };
          counts[faults === 0 ? 'working' : 'affected']++;
          projects.set(project, counts);
        }
      }
      const all = [...projects.values()];
      const sum = (kind: 'affected' | 'working') => all.reduce((total, counts) => total + counts[kind], 0);
      const affectedProjects = all.filter(({ affected, working }) => affected > working).length;
      return sum('affected') > sum('working') && affectedProjects * 2 >= all.length;
    },
  };
}
