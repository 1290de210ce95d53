import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ProjectFilter } from '../core/due-schedule.ts';
import type { Tables } from './tables.ts';

export interface Claim {
  region: number;
  now: number;
  leaseUntil: number;
  limit: number;
  /** The projects whose monitors are claimed: one project, or all projects except some. Default: all projects. */
  of?: ProjectFilter;
  /** Only checks that became due, or whose lease ended, after this time are claimed. */
  after?: number;
}

/** A claimed monitor. */
export interface DueMonitor {
  monitor: number;
  /** When the monitor became due, in epoch milliseconds. */
  next_at: number;
  project: string;
}

/** Returns SQL for the end of a `where` clause, which selects only checks of these projects. */
function ofProject(filter: ProjectFilter | undefined): RawBuilder<unknown> {
  if (filter === undefined) return sql``;
  if ('project' in filter) return sql`and project = ${filter.project}`;
  return filter.except.length === 0 ? sql`` : sql`and project not in (${sql.join(filter.except)})`;
}

/** SQL for the number of a new claim. It is higher than the numbers of all earlier claims. */
export const nextClaim = sql<number>`nextval('schedule_claim')`;

/**
 * SQL for the `first_claim` of a row that is being claimed. If the claim takes over a lapsed lease, the results of
 * earlier claims are refused from then on.
 */
export const firstClaimAfter = sql<number>`case when schedule.lease_until > 0 then schedule.claim + 1 else schedule.first_claim end`;

/**
 * On PostgreSQL, claims monitors that are due in a region. Leaves out monitors that another claim holds. The new claim
 * lasts until `leaseUntil`. Begins with the monitors that have been due for the longest time. No two callers get the
 * same row, and no caller waits for another. All rows of a call get the same claim number.
 */
export async function claimDue(
  db: Kysely<Tables>,
  { region, now, leaseUntil, limit, of, after = -1 }: Claim,
): Promise<(DueMonitor & { claim: number })[]> {
  // The inner select is materialized. Otherwise PostgreSQL could merge the select into the update, run the select once
  // per row, and lock more than `limit` rows. The commit does not wait for the disk: if a power cut loses the claim,
  // another caller claims the row.
  const { rows } = await sql<DueMonitor & { claim: number }>`
    with due as materialized (
      select monitor from schedule
      where region = ${region} and greatest(next_at, lease_until) > ${after}
        and greatest(next_at, lease_until) <= ${now} ${ofProject(of)}
      order by greatest(next_at, lease_until) limit ${limit}
      for update skip locked),
    made as materialized (select ${nextClaim} as claim)
    update schedule set lease_until = ${leaseUntil}, claim = made.claim, first_claim = ${firstClaimAfter}
    from due, made where schedule.monitor = due.monitor and schedule.region = ${region}
      and (select set_config('synchronous_commit', 'off', true)) = 'off'
    returning schedule.monitor, schedule.next_at, schedule.project, schedule.claim`.execute(db);
  return rows.toSorted((a, b) => a.next_at - b.next_at);
}
