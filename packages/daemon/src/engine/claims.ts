import type { ProjectFilter } from '../core/due-schedule.ts';
import type { ScheduledEnd } from '../core/schedule-change.ts';
import type { DueMonitor } from '../store/claim-due.ts';

/**
 * How long a claim holds if it is not renewed. After a checker is killed, its monitors are not checked for this long.
 */
export const leaseMs = 15_000;

export interface Look {
  limit: number;
  /** The projects whose monitors are claimed. Default: all. */
  of?: ProjectFilter;
  /** Claims only checks that became free to claim after this time, in epoch milliseconds. */
  after?: number;
}

/** The right of this process to check a monitor. */
export interface Lease {
  /** The number of the claim; null if no other process can take it over. */
  claim: number | null;
  /** Whether the lease certainly still holds. Otherwise another process may have taken it over. */
  isSure: () => boolean;
}

/** A claimed monitor with its lease. */
export interface ClaimedMonitor extends DueMonitor {
  lease: Lease;
}

/** A lease on a monitor. */
export type HeldLease = Pick<ClaimedMonitor, 'monitor' | 'lease'>;

/** The properties of an ended check that decide when the next one is due. */
export interface EndedCheck extends Omit<ScheduledEnd, 'region' | 'blindForMs'> {
  generation: number;
}

/**
 * One region's part of the schedule: due checks and their claims. `createSqlClaims` keeps it in the database that
 * several daemons share. `createMemoryClaims` keeps it in memory, for a process that has the database for itself.
 */
export interface Claims {
  /** Claims what is due now, the longest due first. */
  takeDue(look: Look): Promise<ClaimedMonitor[]>;
  /** Claims a monitor, due or not. `false` if it is claimed already, `null` if the region does not check it. */
  takeOne(monitor: number): Promise<Omit<ClaimedMonitor, 'project'> | false | null>;
  /**
   * Renews those of the given leases that this process still holds. Resolves with the renewed leases by monitor. A
   * lease is missing there if it was given back, or if another process took it over.
   */
  renew(held: ReadonlyMap<number, Lease>): Promise<ReadonlyMap<number, Lease>>;
  /** Gives back leases that this process still holds. */
  giveBack(held: readonly HeldLease[]): Promise<void>;
  /**
   * Sets when the monitor is due next. Does nothing if the schedule is in the database: there, the transaction that
   * records the check sets that time.
   */
  checkEnded(check: EndedCheck): void;
  /** The next check that can be claimed: when it is due (`next_at`), and when it can be claimed (`at`), in epoch ms. */
  firstFree(): Promise<{ next_at: number; at: number } | undefined>;
  /** Since when the most overdue of these monitors has waited, in epoch milliseconds; null if none waits. */
  oldestDue(of: ProjectFilter): Promise<number | null>;
  /** How many of a project's monitors wait for their check. */
  waiting(project: string): Promise<number>;
  /**
   * Finds the monitors whose running checks are no longer wanted: the monitor was deleted, paused, removed from the
   * region, or edited to another generation. `checked` has the generation of each monitor's running check.
   */
  unwanted(checked: ReadonlyMap<number, number>): Promise<number[]>;
  /** When this version of a monitor is due next, in epoch milliseconds; null if only the database knows. */
  nextCheckAt(monitor: number, generation: number): number | null;
}
