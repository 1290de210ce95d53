import type { ActiveFields, CheckOutcome, TraceStep } from '../checks/check.ts';
import { internalOutcome } from '../checks/index.ts';
import type { Absences } from '../core/absence.ts';
import { answerRun, beginRun, endRun, type Run, standingOf } from '../core/overlapping-runs.ts';
import { roundOf } from '../core/schedule.ts';
import type { SteadyClock } from '../deps.ts';
import { unreadableText } from '../stored-monitors/monitor-secrets.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { SealedFields } from '../stored-monitors/stored-monitor.ts';
import type { CheckSlots } from './check-slots.ts';
import type { Claims, Lease } from './claims.ts';
import type { RefusedResults } from './refused-results.ts';
import { createWatchedMonitors, type WatchedMonitor, type WatchedMonitors } from './watched-monitors.ts';

/** `ownFault` reports a checker fault for this long. */
const ownFaultShownMs = 60_000;
const noTrace: readonly TraceStep[] = [];

/** A check to begin. */
export interface Beginning {
  monitor: number;
  generation: number;
  fields: ActiveFields;
  /** The secrets that cannot be decrypted. If there are any, the checker does not contact the target. */
  unreadable: SealedFields;
  /** The project whose budgets the check uses. */
  project: string;
  /** When the check was due, in epoch milliseconds; null for a requested check. */
  due: number | null;
  /** For a requested check that took the claim of the monitor: when the next scheduled check is due. */
  nextAt?: number | null;
  /**
   * The lease under which the check begins; null if the check begins under the lease of a running check of the monitor.
   */
  lease: Lease | null;
}

/** Runs one check. Never throws. `monitor` is the number of the monitor (`seq`). */
export type RunCheck = (
  fields: ActiveFields,
  signal: AbortSignal,
  project: string,
  monitor: number,
) => Promise<CheckOutcome>;

export interface CheckRunnerOptions {
  clock: SteadyClock;
  region: number;
  slots: CheckSlots;
  refused: RefusedResults;
  claims: Pick<Claims, 'checkEnded'>;
  /** The latest absences of all daemons: see core/absence.ts. */
  absences: () => Absences;
  runCheck: RunCheck;
  /** Makes the checker's loop read the schedule again within this time. */
  wake: (withinMs: number) => void;
  /** The checker's loop reads the schedule again after this time, unless `wake` makes it read earlier. */
  pollIntervalMs: number;
}

/** Runs checks and records their results. Checks of one monitor may overlap. */
export interface CheckRunner extends Omit<WatchedMonitors, 'watch' | 'checkOver'> {
  /** Begins a check. Resolves with the finished check once it is recorded. */
  begin(check: Beginning): Promise<FinishedCheck>;
  /** Why a check failed inside the checker in the last minute; null if no check did. */
  ownFault(): string | null;
}

/**
 * A check from its beginning until its result is stored. A finished check may wait a second for its commit. To save
 * memory during that wait, this object does not refer to the fields of the monitor.
 */
interface RunningCheck extends Pick<FinishedCheck, 'monitor' | 'generation' | 'intervalMs' | 'requested' | 'claim'> {
  /** The monitor of the check, with the monitor's other checks. */
  one: WatchedMonitor;
  run: Run;
  /** How many leases had been taken for checks of the monitor when this check began. */
  taken: number;
  signal: AbortSignal;
  begunAt: number;
  steppedBeforeMs: number;
  /** The result, once the check has ended. */
  found: FinishedCheck | undefined;
  /**
   * Whether `claims.checkEnded` was called. Usually the call comes before the check is recorded. While the store
   * refuses results, the call comes only afterwards.
   */
  scheduled: boolean;
}

export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { clock, slots, claims, refused, wake } = options;
  const watched = createWatchedMonitors(clock, slots);
  let ownFault: { atMonoMs: number; message: string } | null = null;

  const begin = (beginning: Beginning): Promise<FinishedCheck> => {
    const { monitor, generation, fields, project, due } = beginning;
    const one = watched.watch(monitor, generation, project);
    const { signal } = one.abandon;
    const requested = due === null;
    const intervalMs = fields.interval * 1000;
    const { begunAt, nextInMs, nextMonoMs } = startTimes(clock, beginning, intervalMs);
    const { runs, run } = beginRun(one.runs, { generation, requested, nextMonoMs });
    const { taken, claim } = takeLease(one, beginning.lease, run);
    one.runs = runs;
    if (requested && nextInMs !== null) wake(Math.max(0, nextInMs));
    slots.begin(project);
    const times = { begunAt, intervalMs, steppedBeforeMs: clock.steppedMs() };
    const state = { found: undefined, scheduled: false };
    const check = { monitor, generation, requested, claim, one, run, taken, signal, ...times, ...state };
    const finished = conduct(options.runCheck, beginning, signal).then((outcome) => finish(check, outcome));
    void follow(check, finished);
    return finished;
  };

  const finish = async (check: RunningCheck, outcome: CheckOutcome): Promise<FinishedCheck> => {
    const { one, run, signal, intervalMs } = check;
    slots.end(one.project);
    one.runs = endRun(one.runs, run);
    const found = (check.found = resultOf(options, check, outcome));
    if (signal.aborted) return found;
    if (outcome.verdict === 'internal')
      ownFault = { atMonoMs: clock.monotonicMs(), message: outcome.error?.message ?? 'unknown' };
    else one.runs = answerRun(one.runs, run, outcome.verdict);
    if (refused.count() === 0) schedule(check);
    await refused.record(found);
    // On SQLite, the claim of a check ends before the check is recorded. So a later check may have taken a claim during
    // the recording, and `one.lease` may belong to that later check.
    if (run.holdsClaim && found.later === 'none' && one.taken === check.taken) one.lease = null;
    if (found.at - found.begunAt > intervalMs - options.pollIntervalMs) wake(0);
    return found;
  };

  /** Passes the end of a check to the claims, which decide when the next check is due. */
  const schedule = (check: RunningCheck) => {
    const found = currentResult(check);
    if (!found || check.scheduled || check.signal.aborted) return;
    check.scheduled = true;
    claims.checkEnded({ ...found, verdict: found.outcome.verdict });
    // The next check may now be due before the time at which the loop planned to read the schedule again.
    if (found.at - found.begunAt > found.intervalMs - options.pollIntervalMs) wake(0);
  };

  /** Watches the monitor until the result of the check is stored. */
  const follow = async (check: RunningCheck, finished: Promise<FinishedCheck>): Promise<void> => {
    try {
      await finished;
    } catch (error) {
      await refused.recordLater(() => currentResult(check), check.monitor, error);
    }
    schedule(check);
    watched.checkOver(check.monitor);
  };

  return {
    ...watched,
    begin,
    ownFault: () => (ownFault && clock.monotonicMs() - ownFault.atMonoMs < ownFaultShownMs ? ownFault.message : null),
  };
}

/** Returns the result of a check that ends now. */
function resultOf(
  { clock, region, absences }: Pick<CheckRunnerOptions, 'clock' | 'region' | 'absences'>,
  check: RunningCheck,
  outcome: CheckOutcome,
): FinishedCheck {
  const { monitor, generation, intervalMs, requested, claim, one, run } = check;
  const { later, overtaken } = standingOf(one.runs, run);
  // Only a user who requested the check gets its trace.
  if (!requested) outcome.trace = noTrace;
  const begunAt = check.begunAt + clock.steppedMs() - check.steppedBeforeMs;
  const times = { begunAt, at: clock.now(), absences: absences() };
  return { monitor, region, generation, intervalMs, requested, claim, outcome, later, overtaken, ...times };
}

/** Returns the result of an ended check, with the current values of `later` and `overtaken`. */
const currentResult = ({ found, one, run }: RunningCheck): FinishedCheck | undefined =>
  found && { ...found, ...standingOf(one.runs, run) };

/**
 * Records the lease under which a check begins. Returns the number of the check's claim, and how many leases have been
 * taken for checks of the monitor so far (`taken`).
 */
function takeLease(one: WatchedMonitor, lease: Lease | null, { holdsClaim }: Run) {
  if (lease) {
    one.taken++;
    one.lease = lease;
  }
  // The monitor's lease may belong to another running check. A check has the claim only if it took the claim itself.
  return { taken: one.taken, claim: (holdsClaim ? one.lease?.claim : null) ?? null };
}

/**
 * Returns the nominal start of a check (`begunAt`; see `roundOf` in core/schedule.ts). Also returns when the next check
 * is due: in how many milliseconds (`nextInMs`), and at which time of the monotonic clock (`nextMonoMs`), which never
 * steps.
 */
function startTimes(clock: SteadyClock, { due, nextAt = null }: Beginning, intervalMs: number) {
  const now = clock.now();
  const begunAt = due === null ? now : roundOf({ due, begunAt: now }, intervalMs);
  const next = due === null ? nextAt : begunAt + intervalMs;
  const nextInMs = next === null ? null : next - now;
  return { begunAt, nextInMs, nextMonoMs: nextInMs === null ? null : clock.monotonicMs() + nextInMs };
}

/** Runs the check, unless one of its secrets cannot be decrypted. */
function conduct(
  runCheck: CheckRunnerOptions['runCheck'],
  { fields, unreadable, project, monitor }: Beginning,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const sealed = Object.keys(unreadable);
  return sealed.length === 0
    ? runCheck(fields, signal, project, monitor)
    : Promise.resolve(internalOutcome(unreadableText(fields.type, sealed)));
}
