import type { DueSchedule, ScheduledMonitor } from '../core/due-schedule.ts';
import { scheduleAfter } from '../core/schedule-change.ts';
import type { SteadyClock } from '../deps.ts';
import type { Claims, Lease } from './claims.ts';

export interface MemoryClaimsOptions {
  clock: SteadyClock;
  region: number;
  /**
   * The region's schedule. Its times leave out all steps that the clock has made so far. Add `clock.steppedMs()` to get
   * a time of the clock.
   */
  schedule: DueSchedule;
  /** Applies changes of monitors to the schedule. */
  update: () => Promise<void>;
  /**
   * The time since which this process has run without an absence. Checks that were due earlier count as due since that
   * time.
   */
  observingSince: () => number;
}

/** The lease of every claim in memory. It is always sure, because no other process can take the claim over. */
const ownLease: Lease = { claim: null, isSure: () => true };

/**
 * Creates the claims on a schedule in memory. A claim needs no lease in the database, because it ends with the process.
 * A step of the clock does not change the times of the schedule, so no check comes earlier or later because of a step.
 */
export function createMemoryClaims(options: MemoryClaimsOptions): Claims {
  const { clock, schedule, update } = options;
  const held = createHeldClaims(schedule);
  const shown = (nextAt: number) => Math.max(nextAt + clock.steppedMs(), options.observingSince());
  const due = ({ monitor, project, nextAt }: ScheduledMonitor) => ({
    monitor,
    project,
    next_at: shown(nextAt),
    lease: ownLease,
  });
  const now = () => clock.now() - clock.steppedMs();
  return {
    async takeDue({ limit, of }) {
      await update();
      const claimed = schedule.claimDue({ now: now(), limit, of });
      for (const { monitor } of claimed) held.add(monitor);
      return claimed.map(due);
    },
    async takeOne(monitor) {
      await update();
      const found = schedule.find(monitor);
      if (!found) return null;
      if (!schedule.claim(monitor)) return false;
      held.add(monitor);
      return due(found);
    },
    async renew(leases) {
      held.renew(leases.keys());
      return leases;
    },
    async giveBack(leases) {
      for (const { monitor } of leases) held.release(monitor, null);
    },
    checkEnded: createCheckEnd(options, held),
    // This function does not apply changes of monitors. The checker calls `takeDue` soon afterwards, which applies
    // them.
    async firstFree() {
      const first = schedule.firstAt();
      return first === null ? undefined : { next_at: shown(first), at: first + clock.steppedMs() };
    },
    async oldestDue(of) {
      const first = schedule.firstAt(of);
      return first === null || first > now() ? null : shown(first);
    },
    async waiting(project) {
      await update();
      return schedule.countDue(project, now());
    },
    async unwanted(checked) {
      await update();
      return [...checked].flatMap(([monitor, generation]) =>
        schedule.find(monitor)?.generation === generation ? [] : [monitor],
      );
    },
    nextCheckAt(monitor, generation) {
      const found = schedule.find(monitor);
      return found?.generation === generation ? shown(found.nextAt) : null;
    },
  };
}

/** The claimed monitors of this process. */
interface HeldClaims {
  add(monitor: number): void;
  release(monitor: number, nextAt: number | null): void;
  /**
   * Call this with the monitors whose checks run or are not recorded yet. If a claimed monitor is missing in two calls
   * in a row, its check was lost, and its claim is released.
   */
  renew(monitors: Iterable<number>): void;
}

function createHeldClaims(schedule: DueSchedule): HeldClaims {
  const held = new Set<number>();
  /** The claimed monitors that were missing in the last call of `renew`. */
  let idle = new Set<number>();
  const release = (monitor: number, nextAt: number | null) => {
    held.delete(monitor);
    schedule.release(monitor, nextAt);
  };
  return {
    add: (monitor) => void held.add(monitor),
    release,
    renew(monitors) {
      const renewed = new Set(monitors);
      const unrenewed = [...held].filter((monitor) => !renewed.has(monitor));
      // A claimed monitor that is missing in two calls in a row will never get a check under that claim.
      for (const monitor of unrenewed) {
        if (idle.has(monitor)) release(monitor, null);
        else if (!schedule.find(monitor)?.claimed) held.delete(monitor);
      }
      idle = new Set(unrenewed.filter((monitor) => held.has(monitor)));
    },
  };
}

/** Creates the function that schedules a monitor's next check when a check has ended. */
function createCheckEnd(
  { clock, region, schedule }: MemoryClaimsOptions,
  held: Pick<HeldClaims, 'release'>,
): Claims['checkEnded'] {
  /** When the checker faults of each monitor began. These times, too, leave out the steps of the clock. */
  const unobservedSince = new Map<number, number>();
  return (check) => {
    const { monitor, generation, verdict, at } = check;
    if (schedule.find(monitor)?.generation !== generation) {
      unobservedSince.delete(monitor);
      return;
    }
    const endedAt = at - clock.steppedMs();
    const unobservedFrom = unobservedSince.get(monitor) ?? endedAt;
    const change = scheduleAfter({ ...check, region, unobservedForMs: Math.max(0, endedAt - unobservedFrom) });
    if (verdict !== 'internal') unobservedSince.delete(monitor);
    else if (change && !check.requested) unobservedSince.set(monitor, unobservedFrom);
    if (!change) return;
    const nextAt = change.nextAt === null ? null : change.nextAt - clock.steppedMs();
    if (change.release) held.release(monitor, nextAt);
    else if (nextAt !== null) schedule.delay(monitor, nextAt);
  };
}
