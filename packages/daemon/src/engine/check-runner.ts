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
import { unreadableText } from '../operations/monitor-secrets.ts';
import type { FinishedCheck } from '../operations/record-outcome.ts';
import type { SealedFields } from '../operations/stored-monitor.ts';
import type { CheckPlaces } from './check-places.ts';
import type { RefusedResults } from './refused-results.ts';

/** For how long a fault of the checker itself is reported. */
const ownFaultShownMs = 60_000;

/** A check that is to begin. */
export interface Beginning {
  monitor: number;
  generation: number;
  fields: ActiveFields;
  /** The secrets that cannot be opened: with any, the target is not asked. */
  unreadable: SealedFields;
  /** Whose budgets it is charged to. */
  project: string;
  /** When it was due, in epoch milliseconds; null where somebody asked for it. */
  due: number | null;
  /** Where it was asked for and took the claim: when the schedule has the next, in epoch milliseconds. */
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
  /** Has the schedule looked at again within so many milliseconds. */
  wake: (withinMs: number) => void;
  /** Milliseconds between two looks at the schedule, unless it is woken. */
  pollIntervalMs: number;
}

/** A monitor that has checks under way. */
interface Watched {
  runs: OverlappingRuns;
  project: string;
  /** Ends its checks: when the monitor is another, or the checker stops. */
  abandon: AbortController;
  /** Each check with all that follows from it. None rejects. */
  underWay: Set<Promise<void>>;
}

/** Runs checks and records them. One monitor's may overlap. */
export interface CheckRunner {
  /** Begins a check, and answers it once it is recorded. */
  begin(check: Beginning): Promise<FinishedCheck>;
  /** The monitors that have checks under way, each with the generation that the latest began with. */
  underWay(): Map<number, number>;
  isUnderWay(monitor: number): boolean;
  /** Monitors of which a check still runs while the next is due, and for how many milliseconds it has been. */
  overlapsDue(): { monitor: number; project: string; lateMs: number }[];
  /** False once its check is over, and when the monitor is another by now: then it was claimed, or is not to be checked. */
  isOverlapDue(monitor: number, now: { generation: number; paused: boolean }): boolean;
  /** In how many milliseconds the next overlapping check is due. */
  nextOverlapIn(): number;
  /** Ends the checks of a monitor that began with this generation. */
  abandon(monitor: number, generation: number): void;
  /** Why a check of the last minute could not be carried out, or null. */
  ownFault(): string | null;
  abandonAll(): void;
  /** Waits until everything under way is over and recorded. */
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
    // It was edited: what its checks find about the old one has no use.
    if (one.runs.generation !== generation) drop(one);
    const { signal } = one.abandon;
    const asked = due === null;
    const intervalMs = fields.interval * 1000;
    const [now, stepped] = [clock.now(), clock.stepped()];
    const begun = asked ? now : roundOf({ due, begun: now }, intervalMs);
    const next = asked ? nextAt : begun + intervalMs;
    // By a clock that does not step while it runs.
    const nextMono = next === null ? null : clock.monotonic() + next - now;
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
        begun: begun + clock.stepped() - stepped,
        at: clock.now(),
        observingSince: options.observingSince(),
      };
      if (signal.aborted) return found;
      if (outcome.verdict === 'internal')
        ownFault = { at: clock.monotonic(), message: outcome.error?.message ?? 'unknown' };
      else one.runs = answerRun(one.runs, run, outcome.verdict);
      await options.record(found);
      // The next one may be due before the loop, which did not count with it, would look.
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
      const mono = clock.monotonic();
      return [...watched].flatMap(([monitor, { runs, project }]) =>
        isNextDue(runs, mono) ? [{ monitor, project, lateMs: mono - (runs.nextAt ?? mono) }] : [],
      );
    },
    isOverlapDue(monitor, { generation, paused }) {
      const one = watched.get(monitor);
      if (!one || !isNextDue(one.runs, clock.monotonic())) return false;
      if (one.runs.generation === generation && !paused) return true;
      one.runs = { ...one.runs, nextAt: null };
      return false;
    },
    nextOverlapIn() {
      let next = Infinity;
      for (const { runs } of watched.values()) next = Math.min(next, runs.nextAt ?? Infinity);
      return next - clock.monotonic();
    },
    abandon(monitor, generation) {
      const one = watched.get(monitor);
      if (!one || one.runs.generation !== generation) return;
      drop(one);
      one.runs = { ...one.runs, nextAt: null };
    },
    ownFault: () => (ownFault && clock.monotonic() - ownFault.at < ownFaultShownMs ? ownFault.message : null),
    abandonAll() {
      for (const { abandon } of watched.values()) abandon.abort();
    },
    async ended() {
      await Promise.all([...watched.values()].flatMap(({ underWay }) => [...underWay]));
    },
  };
}
