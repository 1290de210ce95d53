import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { internalOutcome } from '../checks/index.ts';
import { answerRun, beginRun, endRun, standingOf } from '../core/overlapping-runs.ts';
import { roundOf } from '../core/schedule.ts';
import type { SteadyClock } from '../deps.ts';
import { unreadableText } from '../stored-monitors/monitor-secrets.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { SealedFields } from '../stored-monitors/stored-monitor.ts';
import type { CheckPlaces } from './check-places.ts';
import type { RefusedResults } from './refused-results.ts';
import { createWatchedMonitors, type WatchedMonitors } from './watched-monitors.ts';

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

/** Runs checks and records them. Checks of one monitor may overlap. */
export interface CheckRunner extends Omit<WatchedMonitors, 'watch' | 'follow'> {
  /** Begins a check. Resolves with it once it is recorded. */
  begin(check: Beginning): Promise<FinishedCheck>;
  /** Why a check of the last minute failed inside the checker, or null. */
  ownFault(): string | null;
}

export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { clock, region, places, refused, wake } = options;
  const watched = createWatchedMonitors(clock, places);
  let ownFault: { at: number; message: string } | null = null;

  const conduct = ({ fields, unreadable, project }: Beginning, signal: AbortSignal): Promise<CheckOutcome> => {
    const sealed = Object.keys(unreadable);
    return sealed.length === 0
      ? options.runCheck(fields, signal, project)
      : Promise.resolve(internalOutcome(unreadableText(sealed)));
  };

  const begin = (beginning: Beginning): Promise<FinishedCheck> => {
    const { monitor, generation, fields, project, due, nextAt = null } = beginning;
    const one = watched.watch(monitor, generation, project);
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
      const outcome = await conduct(beginning, signal);
      places.end(project);
      one.runs = endRun(one.runs, run);
      const standing = standingOf(one.runs, run);
      const times = { begun: begun + clock.steppedMs() - stepped, at: clock.now() };
      const observingSince = options.observingSince();
      found = { monitor, region, generation, fields, asked, outcome, ...standing, ...times, observingSince };
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
    const current = () => found && { ...found, ...standingOf(one.runs, run) };
    const ended = finished.then(
      () => {},
      (error: unknown) => refused.recordLater(current, monitor, error),
    );
    watched.follow(monitor, ended);
    return finished;
  };

  return {
    ...watched,
    begin,
    ownFault: () => (ownFault && clock.monotonicMs() - ownFault.at < ownFaultShownMs ? ownFault.message : null),
  };
}
