import { mayTake } from '../core/fair-share.ts';

export interface SlotLimits {
  /** Returns how many checks may run at once now. */
  most: () => number;
}

/** The slots for running checks. Projects share them. */
export interface CheckSlots {
  /** How many more checks the project may begin. */
  mayBegin(project: string): number;
  /** How many more checks the project may begin alongside a running check of the same monitor. */
  mayOverlap(project: string): number;
  free(): number;
  /** Running checks, of all projects or of one project. */
  inFlight(project?: string): number;
  begin(project: string): void;
  end(project: string): void;
  /** Call it with 1 when a monitor gets its first running check, and with -1 when it has none any more. */
  countMonitor(project: string, by: 1 | -1): void;
}

/**
 * No slot is taken away from a running check. So a project may take a slot only while more slots are free than it holds
 * (core/fair-share.ts). Even if all its targets hang, slots are left for other projects. Checks that overlap with
 * another check of their monitor get at most half of all slots, by the same rule.
 */
export function createCheckSlots({ most }: SlotLimits): CheckSlots {
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
  const mayBegin = (project: string) => mayTake({ most: most(), used: all.checks, own: of(project).checks });

  return {
    mayBegin,
    mayOverlap(project) {
      const own = of(project);
      const share = { most: most() / 2, used: all.checks - all.monitors, own: own.checks - own.monitors };
      return Math.min(mayBegin(project), mayTake(share));
    },
    free: () => Math.max(0, Math.floor(most()) - all.checks),
    inFlight: (project) => (project === undefined ? all.checks : of(project).checks),
    begin: (project) => add(project, 1, 0),
    end: (project) => add(project, -1, 0),
    countMonitor: (project, by) => add(project, 0, by),
  };
}
