import type { ProjectFilter } from '../core/due-schedule.ts';
import type { ScheduledEnd } from '../core/schedule-change.ts';
import type { DueMonitor } from '../store/claim-due.ts';

/**
 * How long the claim of a monitor holds if it is not renewed. If a checker on PostgreSQL is killed, its monitors are
 * not checked for this long. On SQLite the claims are in memory, so they end with the process.
 */
export const leaseMs = 15_000;

export interface Look {
  limit: number;
  /** The projects whose monitors may be claimed. Default: all projects. */
  of?: ProjectFilter;
  /**
   * Leaves out checks that could already be claimed at this time, in epoch milliseconds. A schedule in memory ignores
   * this field.
   */
  after?: number;
}

/** The right of this process to check a monitor, until a given time. */
export interface Lease {
  /** The number of the claim; null if no other process can take the claim over. */
  claim: number | null;
  /** Whether the lease certainly still holds. If not, another process may have taken the monitor over. */
  isSure: () => boolean;
}

/** A claimed monitor with its lease. */
export interface ClaimedMonitor extends DueMonitor {
  lease: Lease;
}

/** A monitor and the lease that a process has on it. */
export type HeldLease = Pick<ClaimedMonitor, 'monitor' | 'lease'>;

/** The properties of an ended check that decide when the next check is due. */
export interface EndedCheck extends Omit<ScheduledEnd, 'region' | 'unobservedForMs'> {
  generation: number;
}

/**
 * One region's part of the schedule: due checks and their claims. `createSqlClaims` has the schedule in the database,
 * which several daemons share. `createMemoryClaims` has the schedule in memory, for a process that is the only one to
 * use its database.
 */
export interface Claims {
  /** Claims monitors whose check is due now. The monitor that has been due longest comes first. */
  takeDue(look: Look): Promise<ClaimedMonitor[]>;
  /**
   * Claims a monitor, whether it is due or not. Resolves with `false` if the monitor is claimed already, and with
   * `null` if the region does not check it.
   */
  takeOne(monitor: number): Promise<Omit<ClaimedMonitor, 'project'> | false | null>;
  /**
   * Renews those of the given leases that this process still holds. Resolves with the renewed leases by monitor. This
   * result leaves out leases that were given back, and leases of monitors that another process took over.
   */
  renew(held: ReadonlyMap<number, Lease>): Promise<ReadonlyMap<number, Lease>>;
  /** Gives back those of the given leases that this process still holds. */
  giveBack(held: readonly HeldLease[]): Promise<void>;
  /**
   * Sets when the monitor of an ended check is due next. Does nothing if the schedule is in the database. In that case,
   * the transaction that records the check sets this time.
   */
  checkEnded(check: EndedCheck): void;
  /**
   * The next check that can be claimed: when it is due (`next_at`), and from when it can be claimed (`at`), in epoch
   * ms.
   */
  firstFree(): Promise<{ next_at: number; at: number } | undefined>;
  /**
   * The time since which the most overdue monitor of these projects has waited for its check, in epoch milliseconds.
   * Null if no monitor waits.
   */
  oldestDue(of: ProjectFilter): Promise<number | null>;
  /** How many monitors of a project wait for their due check. */
  waiting(project: string): Promise<number>;
  /**
   * Finds the monitors whose running checks are no longer wanted: the monitor was deleted, paused, removed from the
   * region, or edited to another generation. `checked` has the generation of each monitor's running check.
   */
  unwanted(checked: ReadonlyMap<number, number>): Promise<number[]>;
  /**
   * When a monitor is due next, in epoch milliseconds. Null if the monitor has another generation now, or if only the
   * database knows the time.
   */
  nextCheckAt(monitor: number, generation: number): number | null;
}
