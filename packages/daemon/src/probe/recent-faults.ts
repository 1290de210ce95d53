import type { Clock } from '../deps.ts';

/** A check that has ended. */
export interface EndedCheck {
  monitor: number;
  project: string;
  /** Whether the check gave no verdict. */
  isFault: boolean;
}

/** Finds out whether most monitors get no verdict now, so that another probe should check them. */
export interface RecentFaults {
  note(check: EndedCheck): void;
  /**
   * Whether most projects with checks in the last 30 s are affected. A project is affected if most of its monitors with
   * such checks get no verdict. So neither one monitor nor one project can make this true for the others.
   */
  areMost(): boolean;
}

const rememberedMs = 30_000;
/** The checker soon repeats a check without a verdict. A monitor counts only if a repeated check gave no verdict either. */
const faultsThatCount = 2;

export function createRecentFaults(clock: Pick<Clock, 'monotonicMs'>): RecentFaults {
  /** The monitors in the order of their latest checks. `faults` is the number of the latest checks without a verdict. */
  const monitors = new Map<number, { project: string; faults: number; endedMonoMs: number }>();
  const forget = () => {
    for (const [monitor, { endedMonoMs }] of monitors) {
      if (endedMonoMs > clock.monotonicMs() - rememberedMs) return;
      monitors.delete(monitor);
    }
  };
  return {
    note({ monitor, project, isFault }) {
      forget();
      const faults = isFault ? (monitors.get(monitor)?.faults ?? 0) + 1 : 0;
      monitors.delete(monitor);
      monitors.set(monitor, { project, faults, endedMonoMs: clock.monotonicMs() });
    },
    areMost() {
      forget();
      const projects = new Map<string, { affected: number; working: number }>();
      for (const { project, faults } of monitors.values()) {
        const counts = projects.get(project) ?? { affected: 0, working: 0 };
        if (faults === 0) counts.working++;
        else if (faults >= faultsThatCount) counts.affected++;
        projects.set(project, counts);
      }
      const counted = [...projects.values()].filter(({ affected, working }) => affected + working > 0);
      return counted.filter(({ affected, working }) => affected > working).length * 2 > counted.length;
    },
  };
}
