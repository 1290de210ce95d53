import type { ActiveFields, CheckOutcome } from '../checks/check.ts';
import { internalOutcome } from '../checks/index.ts';
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

export interface CheckRunnerOptions {
  clock: SteadyClock;
  region: number;
  slots: CheckSlots;
  refused: RefusedResults;
  claims: Pick<Claims, 'checkEnded'>;
  observingSince: () => number;
  runCheck: (fields: ActiveFields, signal: AbortSignal, project: string) => Promise<CheckOutcome>;
  record: (check: FinishedCheck) => Promise<unknown>;
  /** Makes the checker's loop read the schedule again within this time. */
  wake: (withinMs: number) => void;
  /** The checker's loop reads the schedule again after this time, unless `wake` makes it read earlier. */
  pollIntervalMs: number;
}

/** Runs checks and records their results. Checks of one monitor may overlap. */
export interface CheckRunner extends Omit<WatchedMonitors, 'watch' | 'follow'> {
  /** Begins a check. Resolves with the finished check once it is recorded. */
  begin(check: Beginning): Promise<FinishedCheck>;
  /** Why a check failed inside the checker in the last minute; null if no check did. */
  ownFault(): string | null;
}

export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { clock, region, slots, claims, refused, wake } = options;
  const watched = createWatchedMonitors(clock, slots);
  let ownFault: { at: number; message: string } | null = null;

  const begin = (beginning: Beginning): Promise<FinishedCheck> => {
    const { monitor, generation, fields, project, due } = beginning;
    const one = watched.watch(monitor, generation, project);
    const { signal } = one.abandon;
    const requested = due === null;
    const intervalMs = fields.interval * 1000;
    const steppedBeforeMs = clock.steppedMs();
    const { begunAt, nextInMs, nextMono } = startTimes(clock, beginning, intervalMs);
    const started = beginRun(one.runs, { generation, requested, nextAt: nextMono });
    const { run } = started;
    const { taken, claim } = takeLease(one, beginning.lease, run);
    one.runs = started.runs;
    if (requested && nextInMs !== null) wake(Math.max(0, nextInMs));
    slots.begin(project);

    let found: FinishedCheck | undefined;
    const current = () => found && { ...found, ...standingOf(one.runs, run) };
    /**
     * Whether `schedule` has set when the next check is due. Usually `schedule` is called before the present check is
     * recorded. While the store refuses results, it is called only afterwards.
     */
    let scheduled = false;
    const schedule = () => {
      const ended = current();
      if (!ended || scheduled || signal.aborted) return;
      scheduled = true;
      claims.checkEnded({ ...ended, intervalMs, verdict: ended.outcome.verdict });
      // The next check may now be due before the time at which the loop planned to read the schedule again.
      if (ended.at - ended.begunAt > intervalMs - options.pollIntervalMs) wake(0);
    };
    const check = async () => {
      const outcome = await conduct(options.runCheck, beginning, signal);
      slots.end(project);
      one.runs = endRun(one.runs, run);
      const standing = standingOf(one.runs, run);
      const times = { begunAt: begunAt + clock.steppedMs() - steppedBeforeMs, at: clock.now() };
      const observingSince = options.observingSince();
      found = { monitor, region, generation, fields, requested, claim, outcome, ...standing, ...times, observingSince };
      if (signal.aborted) return found;
      if (outcome.verdict === 'internal')
        ownFault = { at: clock.monotonicMs(), message: outcome.error?.message ?? 'unknown' };
      else one.runs = answerRun(one.runs, run, outcome.verdict);
      if (refused.count() === 0) schedule();
      await options.record(found);
      // On SQLite, the claim of a check ends before the check is recorded. So a later check may have taken a claim
      // meanwhile, and `one.lease` may belong to that later check.
      if (run.holdsClaim && found.later === 'none' && one.taken === taken) one.lease = null;
      if (found.at - found.begunAt > intervalMs - options.pollIntervalMs) wake(0);
      return found;
    };
    const finished = check();
    const ended = finished.then(
      () => {},
      (error: unknown) => refused.recordLater(current, monitor, error),
    );
    watched.follow(monitor, ended.then(schedule));
    return finished;
  };

  return {
    ...watched,
    begin,
    ownFault: () => (ownFault && clock.monotonicMs() - ownFault.at < ownFaultShownMs ? ownFault.message : null),
  };
}

/**
 * Records the lease under which a check begins. Returns the number of the check's claim, and how many leases have been
 * taken for checks of the monitor so far (`taken`).
 */
function takeLease(one: WatchedMonitor, lease: Lease | null, { holdsClaim }: Run) {
  if (lease) {
    one.taken++;
    one.lease = lease;
  }
  // A check that a user asked for has a claim only if it took the claim of the monitor itself.
  return { taken: one.taken, claim: (holdsClaim ? one.lease?.claim : null) ?? null };
}

/**
 * Returns the nominal start of a check (`begunAt`; see `roundOf` in core/schedule.ts). Also returns when the next check
 * is due: in how many milliseconds (`nextInMs`), and at which time of the monotonic clock (`nextMono`), which never
 * steps.
 */
function startTimes(clock: SteadyClock, { due, nextAt = null }: Beginning, intervalMs: number) {
  const now = clock.now();
  const begunAt = due === null ? now : roundOf({ due, begunAt: now }, intervalMs);
  const next = due === null ? nextAt : begunAt + intervalMs;
  const nextInMs = next === null ? null : next - now;
  return { begunAt, nextInMs, nextMono: nextInMs === null ? null : clock.monotonicMs() + nextInMs };
}

/** Runs the check, unless one of its secrets cannot be decrypted. */
function conduct(
  runCheck: CheckRunnerOptions['runCheck'],
  { fields, unreadable, project }: Beginning,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const sealed = Object.keys(unreadable);
  return sealed.length === 0
    ? runCheck(fields, signal, project)
    : Promise.resolve(internalOutcome(unreadableText(sealed)));
}
