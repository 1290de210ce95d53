import { mayTake } from '../core/fair-share.ts';

export interface SlotLimits {
  /** Returns how many checks may run at once now. */
  maxChecks: () => number;
}

/** The slots for running checks, which projects share. A slot is the right to run one check. */
export interface CheckSlots {
  /** How many more checks a project may begin. */
  mayBegin(project: string): number;
  /** How many more checks a project may begin while an earlier check of the same monitor runs. */
  mayOverlap(project: string): number;
  free(): number;
  /** The number of running checks of all projects, or of one project. */
  inFlight(project?: string): number;
  begin(project: string): void;
  end(project: string): void;
  /**
   * Counts monitors with running checks. Call this function with 1 when the first check of a monitor begins, and with
   * -1 when the monitor's last running check has ended.
   */
  countMonitor(project: string, by: 1 | -1): void;
}

/**
 * Creates the slots. A running check keeps its slot until it ends. So a project may take a slot only while more slots
 * are free than this project already uses (core/fair-share.ts). Even if all targets of a project hang, slots are left
 * for other projects. Checks that overlap with another check of their monitor share half of all slots, by the same
 * rule.
 */
export function createCheckSlots({ maxChecks }: SlotLimits): CheckSlots {
  const held = new Map<string, { checks: number; monitors: number }>();
  const all = { checks: 0, monitors: 0 };
  const of = (project: string) => held.get(project) ?? { checks: 0, monitors: 0 };
  const add = (project: string, checks: number, monitors: number) => {
    const own = of(project);
    all.checks += checks;
    all.monitors += monitors;
    const left = { checks: own.checks + checks, monitors: own.monitors + monitors };
    if (left.checks === 0 && left.monitors === 0) held.delete(project);
    else held.set(project, left);
  };
  const mayBegin = (project: string) => mayTake({ maxItems: maxChecks(), used: all.checks, own: of(project).checks });

  return {
    mayBegin,
    mayOverlap(project) {
      const own = of(project);
      const share = { maxItems: maxChecks() / 2, used: all.checks - all.monitors, own: own.checks - own.monitors };
      return Math.min(mayBegin(project), mayTake(share));
    },
    free: () => Math.max(0, Math.floor(maxChecks()) - all.checks),
    inFlight: (project) => (project === undefined ? all.checks : of(project).checks),
    begin: (project) => add(project, 1, 0),
    end: (project) => add(project, -1, 0),
    countMonitor: (project, by) => add(project, 0, by),
  };
}
