import { isNextDue, noRuns, type OverlappingRuns } from '../core/overlapping-runs.ts';
import type { DueOverlap } from '../core/overlaps-to-begin.ts';
import type { Clock } from '../deps.ts';
import type { CheckSlots } from './check-slots.ts';
import type { HeldLease, Lease } from './claims.ts';

/** A monitor with running checks. */
export interface WatchedMonitor {
  runs: OverlappingRuns;
  project: string;
  /**
   * The lease under which the monitor's checks began. Null if a recorded check has ended the lease, or if the lease was
   * lost.
   */
  lease: Lease | null;
  /** How many leases have been taken so far for checks of the monitor. */
  taken: number;
  /** Aborts the monitor's checks when they are no longer wanted, or when the checker stops. */
  abandon: AbortController;
  /** The number of checks that run or are not recorded yet. */
  underWay: number;
}

/** The monitors with running checks. */
export interface WatchedMonitors {
  /**
   * Returns a monitor whose check is about to begin, and watches the monitor until `checkOver` is called for each of
   * its checks. Ends running checks of an earlier generation of the monitor.
   */
  watch(monitor: number, generation: number, project: string): WatchedMonitor;
  /** Call this when a check has ended and its result is stored. */
  checkOver(monitor: number): void;
  /** The monitors with running checks, each with the generation of its latest check. */
  underWay(): Map<number, number>;
  isUnderWay(monitor: number): boolean;
  /** Whether a check of a later generation of the monitor runs. */
  isOutdated(monitor: number, generation: number): boolean;
  /**
   * Monitors whose next check is due while an earlier check still runs, and for how many milliseconds the next check
   * has been due. Leaves out monitors whose lease may be lost.
   */
  overlapsDue(): DueOverlap[];
  /**
   * Whether the next check of the monitor may begin now, while an earlier check still runs. False if the earlier check
   * has ended by now: then the next check begins with its own claim. Also false if the lease may be lost, or if the
   * monitor was edited or paused.
   */
  isOverlapDue(monitor: number, now: { generation: number; paused: boolean }): boolean;
  /** Time until the next overlapping check is due. */
  nextOverlapInMs(): number;
  /** Ends the running checks of a monitor, unless they belong to another generation of the monitor. */
  abandon(monitor: number, generation: number): void;
  /** Ends all checks. Call the returned function later to get the leases that are still held then. */
  abandonAll(): () => HeldLease[];
  /** The leases of monitors with running or unrecorded checks. */
  leases(): Map<number, Lease>;
  /** Records which of the given leases were renewed. Under leases that were not renewed, no further check begins. */
  noteRenewed(leases: ReadonlyMap<number, Lease>, renewed: ReadonlyMap<number, Lease>): void;
  /** Waits until all running checks have ended and are recorded. */
  ended(): Promise<void>;
}

export function createWatchedMonitors(
  clock: Pick<Clock, 'monotonicMs'>,
  slots: Pick<CheckSlots, 'countMonitor'>,
): WatchedMonitors {
  const watched = new Map<number, WatchedMonitor>();
  let waitingForEnd: (() => void)[] = [];
  const drop = (one: WatchedMonitor) => {
    one.abandon.abort();
    one.abandon = new AbortController();
  };

  return {
    watch(monitor, generation, project) {
      const known = watched.get(monitor);
      // Another generation means that the monitor was edited, so results about its old target are useless.
      if (known && known.runs.generation !== generation) drop(known);
      if (known) {
        known.underWay++;
        return known;
      }
      const made = {
        runs: noRuns(generation),
        project,
        lease: null,
        taken: 0,
        abandon: new AbortController(),
        underWay: 1,
      };
      watched.set(monitor, made);
      slots.countMonitor(project, 1);
      return made;
    },
    checkOver(monitor) {
      const one = watched.get(monitor);
      if (!one) return;
      one.underWay--;
      if (one.underWay > 0) return;
      watched.delete(monitor);
      slots.countMonitor(one.project, -1);
      if (watched.size > 0) return;
      for (const resolve of waitingForEnd) resolve();
      waitingForEnd = [];
    },
    underWay: () => new Map([...watched].map(([monitor, { runs }]) => [monitor, runs.generation])),
    isUnderWay: (monitor) => watched.has(monitor),
    isOutdated: (monitor, generation) => (watched.get(monitor)?.runs.generation ?? generation) > generation,
    ...createOverlaps(watched, clock),
    ...createLeases(watched),
    abandon(monitor, generation) {
      const one = watched.get(monitor);
      if (!one || one.runs.generation !== generation) return;
      drop(one);
      one.runs = { ...one.runs, nextMonoMs: null };
    },
    abandonAll() {
      const all = [...watched];
      for (const [, { abandon }] of all) abandon.abort();
      return () => all.flatMap(([monitor, { lease }]) => (lease ? [{ monitor, lease }] : []));
    },
    ended: () => (watched.size === 0 ? Promise.resolve() : new Promise((resolve) => waitingForEnd.push(resolve))),
  };
}

/** Creates the functions about overlapping checks: next checks of monitors whose earlier check still runs. */
const createOverlaps = (
  watched: ReadonlyMap<number, WatchedMonitor>,
  clock: Pick<Clock, 'monotonicMs'>,
): Pick<WatchedMonitors, 'overlapsDue' | 'isOverlapDue' | 'nextOverlapInMs'> => ({
  overlapsDue() {
    const nowMonoMs = clock.monotonicMs();
    return [...watched].flatMap(([monitor, { runs, project, lease }]) =>
      isNextDue(runs, nowMonoMs) && lease?.isSure() === true
        ? [{ monitor, project, lateMs: nowMonoMs - (runs.nextMonoMs ?? nowMonoMs) }]
        : [],
    );
  },
  isOverlapDue(monitor, { generation, paused }) {
    const one = watched.get(monitor);
    if (!one || !isNextDue(one.runs, clock.monotonicMs()) || one.lease?.isSure() !== true) return false;
    if (one.runs.generation === generation && !paused) return true;
    one.runs = { ...one.runs, nextMonoMs: null };
    return false;
  },
  nextOverlapInMs() {
    let nextMonoMs = Infinity;
    for (const { runs } of watched.values()) nextMonoMs = Math.min(nextMonoMs, runs.nextMonoMs ?? Infinity);
    return nextMonoMs - clock.monotonicMs();
  },
});

/** Creates the functions about the leases of monitors with running or unrecorded checks. */
const createLeases = (
  watched: ReadonlyMap<number, WatchedMonitor>,
): Pick<WatchedMonitors, 'leases' | 'noteRenewed'> => ({
  leases: () => new Map([...watched].flatMap(([monitor, { lease }]) => (lease ? [[monitor, lease]] : []))),
  noteRenewed(leases, renewed) {
    for (const [monitor, lease] of leases) {
      const one = watched.get(monitor);
      // While the leases were renewed, a check may have ended this lease, and a later check may have taken another
      // lease.
      if (one?.lease !== lease) continue;
      one.lease = renewed.get(monitor) ?? null;
      if (one.lease === null) one.runs = { ...one.runs, nextMonoMs: null };
    }
  },
});
