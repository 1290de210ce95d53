import type { Transaction } from 'kysely';
import type { CheckOutcome } from '../checks/check.ts';
import { type Absences, absencesOf, shiftAbsences } from '../core/absence.ts';
import { isSameTarget } from '../core/generations.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { type ScheduleChange, scheduleAfter } from '../core/schedule-change.ts';
import type { Thinned } from '../core/thin-runs.ts';
import { silentIntervals } from '../core/verdict.ts';
import { type Executor, inOneTrip } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { rollUpSilence } from './roll-up-silence.ts';
import { createJudging, type JudgeCheck } from './judge-check.ts';
import { createMonitorStates, type LoadedMonitor } from './monitor-states.ts';
import type { RecordedTransition } from './move-state.ts';
import type { OpenSlots } from './open-slots.ts';
import type { QuietChecks } from './quiet-checks.ts';
import { createResultWriting } from './write-results.ts';

/** A finished check to record. */
export interface FinishedCheck {
  monitor: number;
  region: number;
  /**
   * The generation of the monitor when the check began. If the target was edited since, the result is ignored. After
   * any other edit, the result is stored only if `later` is `over`. It then does not change the status.
   */
  generation: number;
  /** The interval of the monitor when the check began. */
  intervalMs: number;
  /**
   * The nominal start of the check, in epoch milliseconds. This is its due time or, if it really began much later, a
   * time shortly before its real start. See `roundOf` in core/schedule.ts.
   */
  begunAt: number;
  /** When the check ended, in epoch milliseconds. */
  at: number;
  outcome: CheckOutcome;
  /**
   * Whether a user asked for this check. Such a check belongs to no round. The next check stays due at the same time.
   */
  requested: boolean;
  /**
   * The state of the checks of the same monitor that began after this check:
   *
   * - `none`: no later check has begun, and this check holds the claim on the monitor's schedule.
   * - `running`: a later check has begun, and holds the claim.
   * - `over`: a later check already has a verdict. That result is newer, so this result may not change the status.
   *
   * A requested check that does not hold the claim always has `running`. A probe's result that arrived too late has
   * `over`.
   */
  later: 'none' | 'running' | 'over';
  /**
   * Whether a newer result replaces this result in a case that `later` does not cover. For a scheduled check: a later
   * requested check has passed. For a requested check: a later scheduled check has a verdict. Then this result may not
   * change the status, but the effect of the check on the schedule stays.
   */
  overtaken: boolean;
  /**
   * The number of the claim that the check held. Null for a probe's result, for a requested check without the claim,
   * and if no other process can take claims.
   */
  claim: number | null;
  /** The latest absences of all daemons: see core/absence.ts. */
  absences: Absences;
  /**
   * Set only for a probe's result: when it arrived, and whether that was too late to change the status. `thinned`
   * describes the results that the probe deleted directly before this result; null if there are none.
   */
  arrived?: { at: number; isLate: boolean; thinned: Thinned | null };
}

/** The effects of a recorded check. */
export interface RecordedCheck {
  /** The change of status, if there was one. */
  transition: RecordedTransition | null;
  /** The change of the schedule, which belongs in the same transaction; null if the schedule does not change. */
  schedule: ScheduleChange | null;
  /** The effect on the monitor's state: none, only the time of the latest result (see `isQuiet`), or more. */
  effect: 'none' | 'time' | 'more';
}

/**
 * The state of the claim of a finished check:
 *
 * - `held`: the process that ran the check still holds the claim.
 * - `ended`: the claim was given back, so the schedule is set already. The result counts.
 * - `lost`: the lease lapsed, and another process took the check over. The result does not count.
 */
export type ClaimStanding = 'held' | 'ended' | 'lost';

/** Reads and changes the schedule, in the transaction that records checks. */
export interface ScheduleWrites {
  /**
   * Locks the claims of these checks until the end of the transaction. Resolves with a function that returns the state
   * of the claim of a check.
   */
  fence(
    trip: Executor,
    checks: readonly Pick<FinishedCheck, 'monitor' | 'claim'>[],
  ): Promise<(check: Pick<FinishedCheck, 'monitor' | 'claim'>) => ClaimStanding>;
  apply(trip: Executor, changes: readonly ScheduleChange[]): Promise<void>;
}

/**
 * Records checks in a transaction, and resolves with the effects of each check.
 *
 * - `schedule` writes the schedule in the same round trips. Without it, the caller has to change the schedule.
 * - `isEnough` is called after each check. As soon as it returns true, no further checks are recorded, and only the
 *   effects of the recorded checks are returned. At least one check is recorded.
 */
export type RecordOutcomes = (
  trx: Transaction<Tables>,
  checks: readonly FinishedCheck[],
  schedule?: ScheduleWrites,
  isEnough?: () => boolean,
) => Promise<RecordedCheck[]>;

/**
 * Creates the function that records checks. One transaction stores their results, their hourly counts, and their
 * verdicts with all consequences. A check that failed because of the checker itself leaves no result, and is retried
 * soon.
 *
 * A few statements serve all checks that change no status and no alert. Each other check takes further statements. The
 * checks of one monitor are applied in the given order.
 */
export function createOutcomeRecording(
  store: Store,
  {
    renew,
    quiet,
    slots,
  }: {
    /** Corrects a time that was read before the clock was stepped. */
    renew: (at: number) => number;
    /** Supplies times that are not stored yet. The caller passes each check to `QuietChecks.learn` after the commit. */
    quiet: Pick<QuietChecks, 'withTimes'>;
    slots: Pick<OpenSlots, 'take'>;
  },
): RecordOutcomes {
  const states = createMonitorStates(store);
  const writeResults = createResultWriting(store, slots);
  const judge = createJudging(store, states);

  return async (trx, finished, scheduled, isEnough) => {
    const given = finished.map(({ monitor }) => monitor);
    // States are locked before claims. An edit locks in the same order, so the two cannot deadlock.
    const [monitors, standing = () => 'held' as const] = await inOneTrip(store, trx, (trip) =>
      Promise.all([states.load(trip, given), scheduled?.fence(trip, finished)]),
    );
    // A step of the clock also has to lock these rows, so from here on the clock cannot step.
    const byGiven = new Map(finished.map((check) => [check, onTimeline(check, renew(check.at) - check.at)]));
    // A check that lost its claim is left out, because another process has taken it over.
    const checks = finished.flatMap((check) => (standing(check) === 'lost' ? [] : byGiven.get(check)!));
    for (const one of monitors.values()) one.state = quiet.withTimes(one.monitor, one.state);
    const recorded = new Map<FinishedCheck, RecordedCheck>();
    const changed = new Set<LoadedMonitor>();
    // Checks are applied in the order of their monitors, because two regions that write at once could otherwise
    // deadlock. The checks of one monitor keep the given order. A caller passes `isEnough` only if no other process
    // writes, so the given order is safe then.
    const inOrder = isEnough ? checks : checks.toSorted((one, other) => one.monitor - other.monitor);
    for (const check of inOrder) {
      const one = monitors.get(check.monitor);
      const effect = one ? await recordOne(trx, check, one, { judge, changed }) : nothing;
      recorded.set(check, standing(check) === 'held' ? effect : { ...effect, schedule: null });
      if (isEnough?.()) break;
    }
    const isLeft = (check: FinishedCheck) => standing(check) !== 'lost' && !recorded.has(byGiven.get(check)!);
    const firstLeft = finished.findIndex(isLeft);
    const done = firstLeft === -1 ? finished : finished.slice(0, firstLeft);
    await writeResults(
      trx,
      checks.filter((check) => recorded.has(check) && isAResult(check, monitors.get(check.monitor))),
    );
    const all = done.map((check) => recorded.get(byGiven.get(check)!) ?? nothing);
    const changes = all.flatMap(({ schedule }) => schedule ?? []);
    await inOneTrip(store, trx, (trip) =>
      Promise.all([states.write(trip, [...changed]), scheduled?.apply(trip, changes)]),
    );
    return all;
  };
}

const unjudged = { transition: null, effect: 'none' } as const;
const nothing: RecordedCheck = { ...unjudged, schedule: null };

/** Records one check. Adds its monitor to `changed` if the caller has to write the monitor's state. */
async function recordOne(
  trx: Transaction<Tables>,
  check: FinishedCheck,
  one: LoadedMonitor,
  { judge, changed }: { judge: JudgeCheck; changed: Set<LoadedMonitor> },
): Promise<RecordedCheck> {
  const { monitor, region, outcome, requested, later, at } = check;
  if (!isAbout(check, one)) {
    // The monitor was edited or paused during the check. So the result is about an older version of the monitor, and
    // the edit has already set the schedule.
    const schedule = later === 'none' ? { monitor, region, nextAt: null, release: true } : null;
    return { transition: null, schedule, effect: 'none' };
  }
  const { verdict } = outcome;
  const { intervalMs } = check;
  const fault = verdict === 'internal' ? faultOf(one.state, check) : { unobservedSince: null, forMs: 0 };
  const schedule = scheduleAfter({ ...check, intervalMs, verdict, unobservedForMs: fault.forMs });
  if (verdict !== 'internal') {
    const { arrived } = check;
    if (arrived && (await rollUpSilence(trx, { ...check, ...arrived, at, now: arrived.at, intervalMs }, one)))
      changed.add(one);
    const counts = later !== 'over' && !check.overtaken;
    return { schedule, ...(counts ? await judge(trx, check, one, changed) : unjudged) };
  }
  if (requested || later === 'over' || fault.unobservedSince === null)
    return { transition: null, schedule, effect: 'none' };
  one.state = { ...one.state, unobservedSince: fault.unobservedSince };
  changed.add(one);
  return { transition: null, schedule, effect: 'more' };
}

/**
 * Returns since when a checker fault has kept the monitor from being observed, and how long the fault has lasted. While
 * another region reports, the monitor is observed. If all regions have faults, the unobserved time begins one interval
 * after the last report.
 */
function faultOf(
  { unobservedSince, regions, watchedSince }: MonitorState,
  { region, begunAt, at, arrived, intervalMs, absences }: FinishedCheck,
): { unobservedSince: number | null; forMs: number } {
  if (unobservedSince !== null) return { unobservedSince, forMs: at - unobservedSince };
  // Another probe of the region may have got a verdict during this check, and its result may have arrived first.
  if (arrived && (regions[region]?.at ?? 0) >= begunAt) return { unobservedSince: null, forMs: 0 };
  const reportedAt = (among: readonly [string, { at: number | null }][]) =>
    Math.max(0, ...among.map(([, view]) => view.at ?? 0));
  const views = Object.entries(regions);
  const others = reportedAt(views.filter(([number]) => Number(number) !== region));
  const own = Math.max(regions[region]?.at ?? 0, watchedSince, absencesOf(absences, region).own.at(-1)?.to ?? 0);
  if (others < (arrived?.at ?? at) - silentIntervals * intervalMs) {
    const since = others === 0 ? at : Math.min(at, Math.max(own, others) + intervalMs);
    return { unobservedSince: since, forMs: at - since };
  }
  return { unobservedSince: null, forMs: Math.max(0, at - own - intervalMs) };
}

/** Whether a check leaves a result. A check that failed because of the checker itself leaves no result. */
const isAResult = (check: FinishedCheck, one: LoadedMonitor | undefined): boolean =>
  check.outcome.verdict !== 'internal' && isAbout(check, one);

/**
 * Whether a check is about the present monitor. A check may change the status only if the monitor has not been edited
 * since the check began. If the result is only stored, it is enough that the target is the same.
 */
function isAbout({ generation, later }: FinishedCheck, one: LoadedMonitor | undefined): boolean {
  if (!one || one.state.status === 'paused') return false;
  return generation === one.generation || (later === 'over' && isSameTarget(generation, one));
}

function onTimeline(check: FinishedCheck, byMs: number): FinishedCheck {
  if (byMs === 0) return check;
  const absences = shiftAbsences(check.absences, byMs);
  return { ...check, at: check.at + byMs, begunAt: check.begunAt + byMs, absences };
}
