import { isPassive } from '@uptime/sdk/contract';
import type { ActiveFields } from '../checks/check.ts';
import type { Clock } from '../deps.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { FinishedCheck } from '../recording/record-outcome.ts';
import type { SealedFields } from '../stored-monitors/stored-monitor.ts';
import type { Claims, Lease } from './claims.ts';
import type { LoadMonitors } from './load-monitor.ts';
import { wait } from '../wait.ts';

/** How long a requested check waits if another daemon is checking the monitor. */
const waitForOtherMs = 15_000;

/** A check that a user asked for. */
export interface RequestedCheck {
  monitor: number;
  generation: number;
  fields: ActiveFields;
  /** The secrets that cannot be decrypted. */
  unreadable: SealedFields;
  /** The project whose budgets the check uses. */
  project: string;
  /**
   * When the next scheduled check is due. It is null if this checker already has the claim of the monitor, and so knows
   * this time.
   */
  nextAt: number | null;
  /** The lease that the check took; null if this checker already has a lease on the monitor. */
  lease: Lease | null;
}

export interface RequestedChecksOptions {
  clock: Clock;
  claims: Claims;
  stopping: AbortSignal;
  loadMonitors: LoadMonitors;
  /** Whether this checker is running checks of the monitor, and so holds the claim. */
  isUnderWay: (monitor: number) => boolean;
  begin: (check: RequestedCheck) => Promise<FinishedCheck>;
  /**
   * Counts a check that users of a project request. Call the returned function at the end of the check. Throws
   * `rate_limited` beyond a limit.
   */
  limit: (project: string) => () => void;
}

/**
 * Creates the function that runs the checks that users ask for, whether the monitor is due or not. Requested checks of
 * one monitor run one after another, alongside scheduled checks.
 *
 * The function throws `conflict` for a heartbeat, a paused monitor, and a monitor that only other regions check. It
 * throws `rate_limited` if the project requests too many checks.
 */
export function createRequestedChecks(options: RequestedChecksOptions): (monitor: number) => Promise<FinishedCheck> {
  const { clock, claims, stopping } = options;
  const requested = new Map<number, Promise<void>>();
  const loadMonitor = async (monitor: number) => (await options.loadMonitors([monitor])).get(monitor);

  const checkOnce = async (monitor: number): Promise<FinishedCheck> => {
    const untilMonoMs = clock.monotonicMs() + waitForOtherMs;
    for (;;) {
      if (stopping.aborted) throw new ServiceError('unavailable', 'The daemon is stopping.', { retryAfterSeconds: 5 });
      if (clock.monotonicMs() > untilMonoMs)
        throw new ServiceError('unavailable', 'Another daemon is checking the monitor. Try again.', {
          retryAfterSeconds: 5,
        });
      const row = await loadMonitor(monitor);
      if (!row) throw notFound('monitor');
      const { fields, unreadable } = row;
      if (isPassive(fields))
        throw new ServiceError('conflict', 'A heartbeat is not checked: its status depends on its pings.');
      if (fields.paused) throw new ServiceError('conflict', 'The monitor is paused: resume it first.');
      if (row.plan_paused === 1)
        throw new ServiceError('conflict', 'The monitor is paused: the plan has no room for it.');
      const taken = await claims.takeOne(monitor);
      if (taken === null) throw checkedElsewhere(fields.regions);
      if (taken && stopping.aborted) await claims.giveBack([taken]);
      if (stopping.aborted) continue;
      // If this process is already checking the monitor, the requested check runs alongside. If another process is
      // checking the monitor, this loop waits until that process gives the claim back.
      const { generation, project_id: project } = row;
      const check = { monitor, generation, fields, unreadable, project };
      if (taken) return options.begin({ ...check, nextAt: taken.next_at, lease: taken.lease });
      if (options.isUnderWay(monitor)) return options.begin({ ...check, nextAt: null, lease: null });
      await wait(clock, 50);
    }
  };

  const checkInTurn = (monitor: number) => {
    const checked = (requested.get(monitor) ?? Promise.resolve()).then(() => checkOnce(monitor));
    const forget = () => {
      if (requested.get(monitor) === answered) requested.delete(monitor);
    };
    // The caller gets the outcome from `checked`. `answered` only says that the check has ended.
    const answered: Promise<void> = checked.then(forget, forget);
    requested.set(monitor, answered);
    return checked;
  };
  return async (monitor) => {
    const row = await loadMonitor(monitor);
    if (!row) throw notFound('monitor');
    const end = options.limit(row.project_id);
    try {
      return await checkInTurn(monitor);
    } finally {
      end();
    }
  };
}

/** The error for a monitor that only other regions check. `regions` are the regions that the monitor names, if any. */
function checkedElsewhere(regions: readonly string[]): ServiceError {
  const names = regions.length === 0 ? '' : ` (${regions.join(', ')})`;
  return new ServiceError(
    'conflict',
    `This daemon does not check from the monitor's regions${names}. Wait for the next check from there. \`uptime monitors test\` runs the checks of a manifest from your own machine.`,
  );
}
