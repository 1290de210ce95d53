import type { Absences } from '../core/absence.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import { createRequestLimit } from './request-limit.ts';
import { createRequestedChecks } from './requested-checks.ts';
import { createCheckSlots } from './check-slots.ts';
import { createCheckRunner, type RunCheck } from './check-runner.ts';
import type { Claims } from './claims.ts';
import { createDueChecks } from './due-checks.ts';
import { createFairClaims } from './fair-claims.ts';
import type { LoadMonitors } from './load-monitor.ts';
import { type Loop, startLoop } from './loop.ts';
import { createRefusedResults } from './refused-results.ts';
import { createLeaseRenewal } from './renew-leases.ts';
import { createUnwantedChecks } from './unwanted-checks.ts';
import { wait } from '../wait.ts';

/** Maximum number of checks that run at once. The number is lower if the process may open fewer files. */
const maxChecks = 8000;
/** Longest time between two reads of the schedule. The checker notices a new monitor within this time. */
const pollIntervalMs = 500;
/** When the checker stops, it tests at this interval whether its running checks have ended. */
const finishLookMs = 10;
/** Minimum time between two reads of the due checks. More frequent reads would only claim fewer checks each. */
const lookAfterMs = 20;
/**
 * After a read with at most `fewChecks` due checks, the minimum time until the next read is `fewLookAfterMs`. Checks
 * that become due in this time begin together. If each of them woke the process up, they would cost a third more CPU
 * time.
 */
const fewLookAfterMs = 100;
const fewChecks = 10;

export interface CheckerOptions {
  /** Loads monitors as they are now. */
  loadMonitors: LoadMonitors;
  region: number;
  /** The claims in the region's part of the schedule. */
  claims: Claims;
  /** The latest absences of all daemons: see core/absence.ts. */
  absences: () => Absences;
  runCheck: RunCheck;
  /** Stores a finished check. Resolves after the commit. */
  record: (check: FinishedCheck) => Promise<unknown>;
  /** Stores the finished checks that still wait to share a commit with others. Resolves after the commit. */
  recordGathered?: () => Promise<void>;
  /** Whether the checker runs due checks. If not, it runs only the checks that users ask for. Default: true. */
  checksDue?: boolean;
  /**
   * When the checker stops, running checks get this time to end. Another process has to repeat the checks that do not
   * end. Default: no time.
   */
  finishWithinMs?: number;
  /** Maximum number of checks that run at once. */
  maxRunning?: number;
  /** The fraction of its capacity that the checker may use now, from 0 to 1. */
  capacity?: () => number;
}

/** The checks of one project that run or wait. */
export interface ProjectChecks {
  /** Running checks. */
  inFlight: number;
  /** Monitors whose check is due and has not begun. */
  waiting: number;
  /** How late the most overdue check of these monitors is. */
  lateMs: number;
}

export interface Checker extends Loop {
  /**
   * How late the most overdue check was when the due checks were last read. Projects with more due checks than their
   * share are left out: see `crowded`.
   */
  latenessMs(): number;
  /** Projects that have more due checks than their share, and how many milliseconds each project is late. */
  crowded(): ReadonlyMap<string, number>;
  /** The number of running checks. */
  inFlight(): number;
  /** How many monitors have checks that run or are not recorded yet. */
  unrecorded(): number;
  usageOf(project: string): Promise<ProjectChecks>;
  /** The time for which the store has refused the results of finished checks; 0 if no result waits. */
  refusedForMs(): number;
  /** Why a check failed inside the checker in the last minute; null if no check did. */
  ownFault(): string | null;
  /**
   * Checks a monitor at once, whether it is due or not, and records the result. Throws `conflict` for a heartbeat or a
   * paused monitor, and `rate_limited` if the project requests too many checks.
   */
  checkNow(monitor: number): Promise<FinishedCheck>;
}

/**
 * Runs the due checks of this region:
 * 1. Renew the claims of long checks, and end checks that are no longer wanted.
 * 2. Claim due checks in fair shares by project, as far as there are free slots.
 * 3. Begin each claimed check at the allowed rate, with the present fields of its monitor.
 * 4. If a check still runs when the next check of its monitor is due, begin the next check too.
 * 5. Record each check that ends. If the store refuses the result, record it later. The latest check of a monitor sets
 *    when the next check is due, and gives the claim of the monitor back.
 * 6. Read the schedule again when the next check is due.
 */
export function startChecker(deps: Deps & { clock: SteadyClock }, options: CheckerOptions): Checker {
  const { clock, log } = deps;
  const { claims, loadMonitors, maxRunning = maxChecks, capacity = () => 1 } = options;
  const slots = createCheckSlots({ maxChecks: () => Math.max(1, maxRunning * capacity()) });
  const fair = createFairClaims({ clock, claims, slots });
  const stopping = new AbortController();
  const refused = createRefusedResults(deps, options.record, stopping.signal);
  const wake = (withinMs: number) => loop.wake(withinMs);
  const runner = createCheckRunner({ ...options, clock, slots, refused, wake, pollIntervalMs });
  const endUnwanted = createUnwantedChecks({ clock, claims, runner });
  const shared = { clock, claims, slots, loadMonitors, stopping: stopping.signal };
  const renewLeases = createLeaseRenewal(clock, claims, runner);
  const dueChecks = createDueChecks({ ...shared, fair, runner, refused, capacity, renewLeases });
  const checkNow = createRequestedChecks({
    ...shared,
    isUnderWay: (monitor) => runner.isUnderWay(monitor),
    begin: (check) => runner.begin({ ...check, due: null }),
    limit: createRequestLimit(slots),
  });

  const loop = startLoop(deps, 'checker', async () => {
    await renewLeases();
    await endUnwanted();
    if (options.checksDue === false) return pollIntervalMs;
    const { due, more } = await dueChecks.begin();
    if (more) return 0;
    if (stopping.signal.aborted) return pollIntervalMs;
    const free = await claims.firstFree();
    const next = Math.min((free?.at ?? Infinity) - clock.now(), runner.nextOverlapInMs());
    // Without free slots, or with a crowded project, `due` may be small although many checks are due.
    const isCalm = due <= fewChecks && slots.free() > 0 && fair.crowded().size === 0;
    return Math.min(pollIntervalMs, Math.max(isCalm ? fewLookAfterMs : lookAfterMs, next));
  });

  return {
    ...loop,
    checkNow,
    async stop() {
      stopping.abort();
      await loop.stop();
      await someTimeToEnd(clock, options.finishWithinMs ?? 0, () => slots.inFlight() > 0);
      const stillHeld = runner.abandonAll();
      // Ended checks are recorded before the claims are given back. Otherwise another daemon would repeat these checks.
      await options.recordGathered?.();
      await runner.ended();
      try {
        await Promise.all([dueChecks.giveBack(), claims.giveBack(stillHeld())]);
      } catch (error) {
        log.warn({ err: error }, 'the claims of checks could not be given back; they end with their leases');
      }
    },
    latenessMs: () => fair.latenessOfOthers(),
    crowded: () => fair.crowded(),
    ownFault: () => runner.ownFault(),
    inFlight: () => slots.inFlight(),
    unrecorded: () => runner.underWay().size,
    refusedForMs: () => refused.refusedForMs(),
    async usageOf(project) {
      const oldest = await claims.oldestDue({ project });
      const lateMs = oldest === null ? 0 : Math.max(0, clock.now() - oldest);
      return { inFlight: slots.inFlight(project), waiting: await claims.waiting(project), lateMs };
    },
  };
}

/** Waits until all running checks have ended, but at most for this time. */
async function someTimeToEnd(clock: SteadyClock, withinMs: number, areRunning: () => boolean): Promise<void> {
  const untilMonoMs = clock.monotonicMs() + withinMs;
  while (areRunning() && clock.monotonicMs() < untilMonoMs) await wait(clock, finishLookMs);
}
