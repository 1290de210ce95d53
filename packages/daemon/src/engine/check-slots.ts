import { mayTake } from '../core/fair-share.ts';

export interface SlotLimits {
  /** Maximum number of checks that may run at once now. */
  most: () => number;
}

/** The slots for running checks, shared by project. */
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
  /** Counts the monitors with running checks: `by` is 1 for one more and -1 for one less. */
  countMonitor(project: string, by: 1 | -1): void;
}

/**
 * Running checks cannot be interrupted, so a project may hold no more slots than it leaves free (core/fair-share.ts).
 * A project whose targets all hang never takes the slots of others. Half of all slots are for checks that overlap
 * with another check of the same monitor. They are shared in the same way.
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
