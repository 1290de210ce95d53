import { type CheckContext, type CheckOutcome, internalOutcome, runCheck } from '../checks/index.ts';
import type { ActiveFields } from '../checks/check.ts';
import { noAbsences } from '../core/absence.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import { startChecker } from '../engine/checker.ts';
import { createMonitorLoader } from '../engine/load-monitor.ts';
import { openSchedule } from '../engine/open-schedule.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { Store } from '../store/store.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import type { ServerTime } from './server-time.ts';
import { createLatestVerdicts } from './latest-verdicts.ts';
import { createRecentFaults, type RecentFaults } from './recent-faults.ts';
import { createCheckRecording } from './record-checks.ts';
import type { ResultQueue } from './result-queue.ts';

export interface RegionCheckerOptions {
  store: Store;
  vault: MonitorVault;
  context: CheckContext;
  queue: ResultQueue;
  serverTime: ServerTime;
  /** Maximum number of checks at the same time. */
  maxRunning: number;
  /**
   * Called when the result of a check is stored in the queue. If `isNew` is true (see latest-verdicts.ts), the result
   * should be sent soon.
   */
  onRecorded: (isNew: boolean) => void;
}

/** The checker of a probe, which checks from one region at a time. */
export interface RegionChecker {
  /** Starts to check from this region if no checker runs yet. If a checker runs, makes it read the schedule at once. */
  checkFrom(region: number): Promise<void>;
  /** Stops the checker if it runs for a region other than this one. */
  leaveOther(region: number): Promise<void>;
  /** Why results cannot be stored now. If they can: the reason for a checker fault within the last minute, or null. */
  ownFault(): string | null;
  /** Whether most checks give no verdict now, or their results cannot be stored. */
  isFailing(): boolean;
  stop(): Promise<void>;
}

/** If the probe's store refuses results for longer than this, other probes should check. */
const maxRefusedMs = 5000;

export function createRegionChecker(deps: Deps & { clock: SteadyClock }, options: RegionCheckerOptions): RegionChecker {
  let running: Awaited<ReturnType<typeof startRegion>> | null = null;
  const recentFaults = createRecentFaults(deps.clock);
  const storeFault = () =>
    (running?.checker.refusedForMs() ?? 0) > maxRefusedMs
      ? 'The results of checks cannot be stored. Is the disk of this machine full?'
      : null;
  return {
    async checkFrom(region) {
      running ??= await startRegion(deps, options, { region, recentFaults });
      running.checker.wake(0);
    },
    async leaveOther(region) {
      if (running === null || running.region === region) return;
      await running.stop();
      running = null;
    },
    ownFault: () => storeFault() ?? running?.checker.ownFault() ?? null,
    isFailing: () => recentFaults.areMost() || storeFault() !== null,
    stop: async () => running?.stop(),
  };
}

async function startRegion(
  deps: Deps & { clock: SteadyClock },
  options: RegionCheckerOptions,
  { region, recentFaults }: { region: number; recentFaults: RecentFaults },
) {
  const { store, context, serverTime } = options;
  const { claims } = await openSchedule(store, deps.clock, { region, observingSince: () => 0 });
  const recording = createCheckRecording(deps, store, options.queue);
  const verdicts = createLatestVerdicts();
  const checker = startChecker(deps, {
    loadMonitors: createMonitorLoader(store, options.vault),
    region,
    claims,
    absences: () => noAbsences,
    runCheck: async (fields, signal, project, monitor) => {
      const fault = serverTime.fault() ?? options.queue.fullFor(monitor);
      const outcome =
        fault === null
          ? await runCheck(fields, context, { retries: fields.retries, signal, project })
          : internalOutcome(fault);
      if (!signal.aborted) noteCheck(recentFaults, { monitor, project, fields, outcome });
      return outcome;
    },
    async record(check: FinishedCheck) {
      await recording.record({ ...check, isEarly: !serverTime.isMeasured() });
      options.onRecorded(verdicts.isNew(check));
    },
    maxRunning: options.maxRunning,
  });
  return {
    region,
    checker,
    async stop() {
      await checker.stop();
      await recording.close();
    },
  };
}

function noteCheck(
  recentFaults: RecentFaults,
  { fields, outcome, ...check }: { monitor: number; project: string; fields: ActiveFields; outcome: CheckOutcome },
): void {
  const { interval, timeout } = fields;
  const isFault = outcome.verdict === 'internal';
  recentFaults.note({ ...check, isFault, intervalMs: interval * 1000, timeoutMs: timeout * 1000 });
}
