import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { internalOutcome } from '../checks/index.ts';
import {
  answerRun,
  beginRun,
  endRun,
  isNextDue,
  noRuns,
  type OverlappingRuns,
  standingOf,
} from '../core/overlapping-runs.ts';
import { roundOf } from '../core/schedule.ts';
import type { SteadyClock } from '../deps.ts';
import { unreadableText } from '../stored-monitors/monitor-secrets.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { SealedFields } from '../stored-monitors/stored-monitor.ts';
import type { CheckPlaces } from './check-places.ts';
import type { RefusedResults } from './refused-results.ts';

/** How long a fault of the checker itself is reported. */
const ownFaultShownMs = 60_000;

/** A check to begin. */
export interface Beginning {
  monitor: number;
  generation: number;
  fields: ActiveFields;
  /** The secrets that cannot be decrypted: with any, the checker does not contact the target. */
  unreadable: SealedFields;
  /** The project whose budgets it uses. */
  project: string;
  /** When it was due, in epoch milliseconds; null for an asked check. */
  due: number | null;
  /** For an asked check that took the claim: when the schedule has the next one. */
  nextAt?: number | null;
}

export interface CheckRunnerOptions {
  clock: SteadyClock;
  region: number;
  places: CheckPlaces;
  refused: RefusedResults;
  observingSince: () => number;
  runCheck: (fields: ActiveFields, signal: AbortSignal, project: string) => Promise<CheckOutcome>;
  record: (check: FinishedCheck) => Promise<unknown>;
  /** Makes the loop look at the schedule again within this many milliseconds. */
  wake: (withinMs: number) => void;
  /** Time between two looks at the schedule, unless it is woken. */
  pollIntervalMs: number;
}

/** A monitor with running checks. */
interface Watched {
  runs: OverlappingRuns;
  project: string;
  /** Ends its checks when the monitor was edited, or the checker stops. */
  abandon: AbortController;
  /** Each check with all its follow-up work. None rejects. */
  underWay: Set<Promise<void>>;
}

/** Runs checks and records them. Checks of one monitor may overlap. */
export interface CheckRunner {
  /** Begins a check. Resolves with it once it is recorded. */
  begin(check: Beginning): Promise<FinishedCheck>;
  /** The monitors with running checks, each with the generation of its latest check. */
  underWay(): Map<number, number>;
  isUnderWay(monitor: number): boolean;
  /** Monitors whose next check is due while one still runs, and for how many milliseconds it has been due. */
  overlapsDue(): { monitor: number; project: string; lateMs: number }[];
  /** False once its check has ended, or if the monitor was changed: then it was claimed, or must not be checked. */
  isOverlapDue(monitor: number, now: { generation: number; paused: boolean }): boolean;
  /** When, from now, the next overlapping check is due. */
  nextOverlapInMs(): number;
  /** Ends the checks of a monitor that began with this generation. */
  abandon(monitor: number, generation: number): void;
  /** Why a check of the last minute failed inside the checker, or null. */
  ownFault(): string | null;
  abandonAll(): void;
  /** Waits until all running checks have ended and are recorded. */
  ended(): Promise<void>;
}

export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { clock, region, places, refused, wake } = options;
  const watched = new Map<number, Watched>();
  let ownFault: { at: number; message: string } | null = null;

  const watch = (monitor: number, generation: number, project: string): Watched => {
    const known = watched.get(monitor);
    if (known) return known;
    const made = {
      runs: noRuns(generation),
      project,
      abandon: new AbortController(),
      underWay: new Set<Promise<void>>(),
    };
    watched.set(monitor, made);
    places.countMonitor(project, 1);
    return made;
  };
  const drop = (one: Watched) => {
    one.abandon.abort();
    one.abandon = new AbortController();
  };

  const begin = ({
    monitor,
    generation,
    fields,
    unreadable,
    project,
    due,
    nextAt = null,
  }: Beginning): Promise<FinishedCheck> => {
    const one = watch(monitor, generation, project);
    // The monitor was edited, so results about its old target are useless.
    if (one.runs.generation !== generation) drop(one);
    const { signal } = one.abandon;
    const asked = due === null;
    const intervalMs = fields.interval * 1000;
    const [now, stepped] = [clock.now(), clock.steppedMs()];
    const begun = asked ? now : roundOf({ due, begun: now }, intervalMs);
    const next = asked ? nextAt : begun + intervalMs;
    // By a clock that does not step during the check.
    const nextMono = next === null ? null : clock.monotonicMs() + next - now;
    const started = beginRun(one.runs, { generation, asked, nextAt: nextMono });
    const { run } = started;
    one.runs = started.runs;
    if (asked && next !== null) wake(Math.max(0, next - now));
    places.begin(project);

    let found: FinishedCheck | undefined;
    const check = async () => {
      const sealed = Object.keys(unreadable);
      const outcome =
        sealed.length === 0 ? await options.runCheck(fields, signal, project) : internalOutcome(unreadableText(sealed));
      places.end(project);
      one.runs = endRun(one.runs, run);
      found = {
        monitor,
        region,
        generation,
        fields,
        asked,
        outcome,
        ...standingOf(one.runs, run),
        begun: begun + clock.steppedMs() - stepped,
        at: clock.now(),
        observingSince: options.observingSince(),
      };
      if (signal.aborted) return found;
      if (outcome.verdict === 'internal')
        ownFault = { at: clock.monotonicMs(), message: outcome.error?.message ?? 'unknown' };
      else one.runs = answerRun(one.runs, run, outcome.verdict);
      await options.record(found);
      // The next check may be due before the loop's next look, because the loop did not know of it.
      if (found.at - found.begun > intervalMs - options.pollIntervalMs) wake(0);
      return found;
    };
    const finished = check();
    const ended = finished.then(
      () => {},
      (error: unknown) =>
        refused.recordLater(() => found && { ...found, ...standingOf(one.runs, run) }, monitor, error),
    );
    one.underWay.add(ended);
    void ended.then(() => {
      one.underWay.delete(ended);
      if (one.underWay.size > 0) return;
      watched.delete(monitor);
      places.countMonitor(one.project, -1);
    });
    return finished;
  };

  return {
    begin,
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
    ownFault: () => (ownFault && clock.monotonicMs() - ownFault.at < ownFaultShownMs ? ownFault.message : null),
    abandonAll() {
      for (const { abandon } of watched.values()) abandon.abort();
    },
    async ended() {
      await Promise.all([...watched.values()].flatMap(({ underWay }) => [...underWay]));
    },
  };
}
