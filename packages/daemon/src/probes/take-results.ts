import type { Transaction } from 'kysely';
import type { CheckOutcome } from '../checks/check.ts';
import type { Absences } from '../core/absence.ts';
import { isSameTarget } from '../core/generations.ts';
import { judgedResults, oldestAcceptedMs } from '../core/late-results.ts';
import { storedProbeName } from '../core/probe-name.ts';
import { mergeChanges, type ScheduleChange } from '../core/schedule-change.ts';
import { startSlice } from '../core/time-slice.ts';
import type { Thinned } from '../core/thin-runs.ts';
import { silentIntervals } from '../core/verdict.ts';
import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { probeProtocol, type ProbeResult, type ResultsAnswer, type ResultsCall } from '../probe-protocol.ts';
import { timingsKeptMs } from '../recording/forget-past.ts';
import type { RecordedTransition } from '../recording/move-state.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { RemoteRecording } from '../recording/remote-recording.ts';
import type { Store } from '../store/store.ts';
import type { Probe, Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';
import { createFutureResults, fromFuture, type FutureResults } from './future-results.ts';
import { type KnownMonitor, knownMonitors } from './known-monitors.ts';
import { isServedByDaemon } from './known-probes.ts';
import type { RemoteSchedule } from './remote-schedule.ts';
import { type ProbeCaller, refuseCopy } from './sync.ts';

/** The times in results may be wrong by this much, because the clocks of a probe and its server may differ a little. */
const toleranceMs = 5000;
/**
 * Longest time from `begun` of a result to the end of its check. Limits of timeouts and retries keep each check within
 * this time.
 */
const maxCheckMs = 15 * 60_000;

export interface TakeResultsOptions {
  store: Store;
  /** Throws `unavailable` while the daemon starts. */
  recording: () => RemoteRecording;
  /** Called with each change of status after its commit. */
  onTransition: (transition: RecordedTransition) => void;
}

/**
 * Stores the results of a probe. Resolves when the last commit is on the disk. Throws `conflict` for a probe that has
 * not sent a sync call yet. Throws `unavailable` if a result from the future has to wait (future-results.ts). By then,
 * all results before that result are stored.
 *
 * On SQLite, results that take long to record are stored in several transactions. Each transaction also stores the
 * number of its last result. So if the daemon is killed between two transactions, the repeated batch continues with the
 * next result.
 */
export type TakeResults = (caller: ProbeCaller, call: ResultsCall) => Promise<ResultsAnswer>;

export function createTakeResults(
  { clock }: { clock: Clock },
  options: TakeResultsOptions,
  schedule: Pick<RemoteSchedule, 'note'>,
): TakeResults {
  const { store, onTransition } = options;
  const future = createFutureResults(clock);
  return async (caller, call) => {
    let [ignored, latestAt] = [0, 0];
    for (;;) {
      const { recording, ...part } = await store.write(async (trx) => {
        // Throws if a move to PostgreSQL has closed the database since the last part.
        const recording = options.recording();
        const probe = await lockProbe(store, trx, caller, storedProbeName(call.probe));
        refuseCopy(probe, call);
        const parts = { region: caller.region, probe, call, latestAt };
        return { recording, ...(await recordPart(trx, { clock, store, recording, future }, parts)) };
      });
      schedule.note(part.changes, clock.now());
      recording.learn(part.checks, part.recorded);
      for (const { transition } of part.recorded) if (transition) onTransition(transition);
      ignored += part.ignored;
      if (part.isLast && part.isHeld) throw fromFuture();
      if (part.isLast) return { protocol: probeProtocol, applied: part.applied, ignored };
      latestAt = Math.max(latestAt, ...part.checks.map(({ at }) => at));
      // Pings and requests run between two transactions.
      await nextTurn();
    }
  };
}

interface Parts {
  region: number;
  probe: Probe;
  call: ResultsCall;
  /** When the latest check of the earlier parts ended; 0 for the first part. */
  latestAt: number;
}

/**
 * Records the results of the call that are not stored yet. On SQLite, records only as many of them, in order, as a
 * short transaction can record.
 */
async function recordPart(
  trx: Transaction<Tables>,
  {
    clock,
    store,
    recording,
    future,
  }: { clock: Clock; store: Store; recording: RemoteRecording; future: FutureResults },
  { region, probe, call, latestAt }: Parts,
) {
  const now = clock.now();
  const unstored = call.results.filter(({ seq }) => seq > probe.applied).toSorted((one, other) => one.seq - other.seq);
  const firstFuture = unstored.findIndex((result) => isFromFuture(result, now) && isPossible(result));
  const isHeld = future.hold(probe.name, firstFuture !== -1);
  const fresh = isHeld ? unstored.slice(0, firstFuture) : unstored;
  const inTime = fresh.filter((result) => isInTime(result, probe, now));
  const monitors = await knownMonitors(trx, region, inTime);
  const own = inTime
    .filter((result) => isAbout(monitors.get(result.monitor), result, now))
    .map((result) => ({ ...result, at: Math.min(result.at, now), begun: Math.min(result.begun, now) }));
  const isPresent = ({ monitor, generation }: ProbeResult) => monitors.get(monitor)?.generation === generation;
  const presentIntervalMs = (monitor: number) => (monitors.get(monitor)?.interval ?? 0) * 1000;
  // Whether a result may change the status depends only on later results, and not on earlier ones. `own` has the
  // results of this part and of all later parts. So each part decides as the whole batch would.
  // If a daemon serves the region now, the probe has no monitors. Then its results only enter the history.
  const isServed = await isServedByDaemon(trx, region, now);
  // After an edit of the interval or the regions, results from before the edit only enter the history. They keep the
  // interval from before the edit.
  const judged = isServed ? new Set<ProbeResult>() : judgedResults(own.filter(isPresent), now, presentIntervalMs);
  const absences = recording.absences();
  const checks = own.map((result) => {
    const presentMs = presentIntervalMs(result.monitor);
    const intervalMs = isPresent(result) ? presentMs : earlierIntervalMs(result, probe, { presentMs, now });
    const thinned = isThinnedInTime(result, probe, now) ? (result.thinned ?? null) : null;
    return finishedCheck(result, {
      region,
      intervalMs,
      thinned,
      isJudged: judged.has(result),
      isServed,
      now,
      absences,
    });
  });
  // On PostgreSQL, a long transaction does not block others, and each further transaction would cost round trips.
  const isEnough = store.dialect.exclusive ? startSlice(() => clock.monotonicMs()) : undefined;
  const recorded = checks.length === 0 ? [] : await recording.record(trx, checks, undefined, isEnough);
  const changes = recorded.flatMap(({ schedule }) => schedule ?? []);
  // Skipped on SQLite, because there the schedule in memory would have to read each of these changes.
  if (!store.dialect.exclusive) await moveSchedule(trx, changes);

  const isLast = recorded.length === checks.length;
  const applied = (isLast ? fresh.at(-1)?.seq : own[recorded.length - 1]?.seq) ?? probe.applied;
  // Results from before `applied_at` are ignored, and a later part may contain checks that ended before those of an
  // earlier part. So only the last part changes `applied_at`. Otherwise, after a crash between two parts, the server
  // would ignore the results of these checks. For the same reason, `applied_at` stays while results from the future
  // wait.
  const latest =
    isLast && !isHeld ? Math.max(probe.applied_at, latestAt, ...own.map(({ at }) => at)) : probe.applied_at;
  await trx.updateTable('probe').set({ applied, applied_at: latest }).where('name', '=', probe.name).execute();
  const ignored = fresh.filter(({ seq }) => seq <= applied).length - recorded.length;
  return { isLast, isHeld, applied, ignored, checks: checks.slice(0, recorded.length), recorded, changes };
}

type Times = Pick<ProbeResult, 'at' | 'begun'>;

/** Whether the times of a result are possible, not too old, and not from the future. */
function isInTime(result: Times, probe: Pick<Probe, 'first_seen_at' | 'applied_at'>, now: number): boolean {
  // After the server's clock stepped back, the stored times may be in the future.
  const floor = Math.min(Math.max(probe.first_seen_at, probe.applied_at), now) - toleranceMs;
  return result.at >= Math.max(floor, now - oldestAcceptedMs) && !isFromFuture(result, now) && isPossible(result);
}

/**
 * Whether the probe may have had the results that it deleted before this result (`thinned`). A probe has no results
 * from before its first call. So a stolen token cannot report about the time before that call.
 */
const isThinnedInTime = ({ thinned }: ProbeResult, probe: Pick<Probe, 'first_seen_at'>, now: number): boolean =>
  thinned === undefined || thinned.since >= Math.min(probe.first_seen_at, now) - toleranceMs;

/**
 * Returns the interval that the monitor had at the time of a result, if the monitor was edited after that time. The
 * probe itself states this interval. Up to three intervals before the result may count as up or down
 * (core/late-time.ts). With a stolen token, a long interval could decide about the time before the probe's first call.
 * So the interval is at most a third of the time from that call to the result, or the present interval if it is longer.
 */
function earlierIntervalMs(
  { at, intervalMs }: ProbeResult,
  { first_seen_at: firstSeenAt }: Pick<Probe, 'first_seen_at'>,
  { presentMs, now }: { presentMs: number; now: number },
): number {
  const sinceFirstCallMs = at - Math.min(firstSeenAt, now);
  return Math.min(intervalMs ?? presentMs, Math.max(presentMs, Math.floor(sinceFirstCallMs / silentIntervals)));
}

const isFromFuture = ({ at }: Times, now: number): boolean => at > now + toleranceMs;
const isPossible = ({ at, begun }: Times): boolean => begun <= at && begun >= at - maxCheckMs;

/**
 * Returns the row of the probe, and locks it until the end of the transaction. So if the same batch arrives twice at
 * the same time, the second copy waits until the first is stored, and is then ignored.
 */
async function lockProbe(store: Store, trx: Transaction<Tables>, caller: ProbeCaller, name: string) {
  const row = await trx
    .selectFrom('probe')
    .selectAll()
    .where('name', '=', name)
    .where('token', '=', caller.id)
    .modifyEnd(store.dialect.forUpdate)
    .executeTakeFirst();
  if (!row) throw new ServiceError('conflict', 'This probe is not known here: it has to sync before it sends results.');
  return row;
}

/**
 * Whether a result is about the present target of this monitor. After a restore of an older backup, a new monitor may
 * get the number of a monitor that the backup lacks. So results from before the creation are about another monitor.
 */
const isAbout = (known: KnownMonitor | undefined, { generation, at }: ProbeResult, now: number): boolean =>
  known !== undefined &&
  isSameTarget(generation, known) &&
  // After the server's clock stepped back, the creation may be in the future.
  (known.createdAt > now || at >= known.createdAt - toleranceMs);

function finishedCheck(
  result: ProbeResult,
  known: {
    region: number;
    intervalMs: number;
    thinned: Thinned | null;
    isJudged: boolean;
    isServed: boolean;
    now: number;
    absences: Absences;
  },
): FinishedCheck {
  const { monitor, generation, begun, at } = result;
  const { verdict, error, responseTime, statusCode, timings, certificate } = result;
  const outcome: CheckOutcome = {
    verdict,
    error: verdict === 'up' ? null : (error ?? { code: 'internal', message: 'The probe sent no reason.' }),
    responseTime,
    statusCode,
    // Timings of passed checks are not stored if they are past their retention. Retention would not find all of them,
    // because its passes look back only two days.
    timings: verdict === 'up' && at < known.now - timingsKeptMs ? null : timings,
    certificate,
    trace: [],
  };
  return {
    monitor,
    region: known.region,
    generation,
    intervalMs: known.intervalMs,
    begunAt: begun,
    at,
    outcome,
    requested: false,
    later: known.isJudged ? 'none' : 'over',
    overtaken: false,
    claim: null,
    // Late results change the uptime, but not if a daemon serves the region.
    ...(known.isServed ? {} : { arrived: { at: known.now, isLate: !known.isJudged, thinned: known.thinned } }),
    absences: known.absences,
  };
}

/**
 * Stores when each monitor is due next, so that the API can show it. Only the API needs these times: the probe has its
 * own schedule.
 */
async function moveSchedule(trx: Transaction<Tables>, changes: readonly ScheduleChange[]): Promise<void> {
  for (const { monitor, region, nextAt } of mergeChanges(changes)) {
    if (nextAt === null) continue;
    await trx
      .updateTable('schedule')
      .set({ next_at: nextAt })
      .where('monitor', '=', monitor)
      .where('region', '=', region)
      .execute();
  }
}
