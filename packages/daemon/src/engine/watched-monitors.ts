import { isNextDue, noRuns, type OverlappingRuns } from '../core/overlapping-runs.ts';
import type { DueOverlap } from '../core/overlaps-to-begin.ts';
import type { Clock } from '../deps.ts';
import type { CheckPlaces } from './check-places.ts';

/** A monitor with running checks. */
export interface WatchedMonitor {
  runs: OverlappingRuns;
  project: string;
  /** Ends its checks when the monitor was edited, or the checker stops. */
  abandon: AbortController;
  /** Each check with all its follow-up work. None rejects. */
  underWay: Set<Promise<void>>;
}

/** The monitors with running checks. */
export interface WatchedMonitors {
  /** The monitor, from its first running check on. Checks of an earlier generation end. */
  watch(monitor: number, generation: number, project: string): WatchedMonitor;
  /** Counts a running check until it ends. After the last one, the monitor is no longer watched. */
  follow(monitor: number, ended: Promise<void>): void;
  /** The monitors with running checks, each with the generation of its latest check. */
  underWay(): Map<number, number>;
  isUnderWay(monitor: number): boolean;
  /** Monitors whose next check is due while one still runs, and for how many milliseconds it has been due. */
  overlapsDue(): DueOverlap[];
  /** False once its check has ended, or if the monitor was changed: then it was claimed, or must not be checked. */
  isOverlapDue(monitor: number, now: { generation: number; paused: boolean }): boolean;
  /** In how many milliseconds the next overlapping check is due. */
  nextOverlapInMs(): number;
  /** Ends the checks of a monitor that began with this generation. */
  abandon(monitor: number, generation: number): void;
  abandonAll(): void;
  /** Waits until all running checks have ended and are recorded. */
  ended(): Promise<void>;
}

export function createWatchedMonitors(
  clock: Pick<Clock, 'monotonicMs'>,
  places: Pick<CheckPlaces, 'countMonitor'>,
): WatchedMonitors {
  const watched = new Map<number, WatchedMonitor>();
  const drop = (one: WatchedMonitor) => {
    one.abandon.abort();
    one.abandon = new AbortController();
  };

  return {
    watch(monitor, generation, project) {
      const known = watched.get(monitor);
      // The monitor was edited, so results about its old target are useless.
      if (known && known.runs.generation !== generation) drop(known);
      if (known) return known;
      const made = { runs: noRuns(generation), project, abandon: new AbortController(), underWay: new Set<never>() };
      watched.set(monitor, made);
      places.countMonitor(project, 1);
      return made;
    },
    follow(monitor, ended) {
      const one = watched.get(monitor);
      if (!one) return;
      one.underWay.add(ended);
      void ended.then(() => {
        one.underWay.delete(ended);
        if (one.underWay.size > 0) return;
        watched.delete(monitor);
        places.countMonitor(one.project, -1);
      });
    },
    underWay: () => new Map([...watched].map(([monitor, { runs }]) => [monitor, runs.generation])),
    isUnderWay: (monitor) => watched.has(monitor),
    overlapsDue() {
      const mono = clock.monotonicMs();
      return [...watched].flatMap(([monitor, { runs, project }]) =>
        isNextDue(runs, mono) ? [{ monitor, project, lateMs: mono - (runs.nextAt ?? mono) }] : [],
      );
    },
    isOverlapDue(monitor, { generation, paused }) {
      const one = watched.get(monitor);
      if (!one || !isNextDue(one.runs, clock.monotonicMs())) return false;
      if (one.runs.generation === generation && !paused) return true;
      one.runs = { ...one.runs, nextAt: null };
      return false;
    },
    nextOverlapInMs() {
      let next = Infinity;
      for (const { runs } of watched.values()) next = Math.min(next, runs.nextAt ?? Infinity);
      return next - clock.monotonicMs();
    },
    abandon(monitor, generation) {
      const one = watched.get(monitor);
      if (!one || one.runs.generation !== generation) return;
      drop(one);
      one.runs = { ...one.runs, nextAt: null };
    },
    abandonAll() {
      for (const { abandon } of watched.values()) abandon.abort();
    },
    async ended() {
      await Promise.all([...watched.values()].flatMap(({ underWay }) => [...underWay]));
    },
  };
}
