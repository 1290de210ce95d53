import { sql } from 'kysely';
import type { ClaimStanding, ScheduleWrites } from '../recording/record-outcome.ts';
import { prepareForNumbers } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';

/**
 * Creates the function that reports whether the claims of finished checks still hold. That function locks the rows of
 * the checks' monitors in `schedule`, in order, until the end of the transaction. So no other process claims these
 * monitors before the checks are recorded.
 */
export function createClaimFence(store: Store, region: number): ScheduleWrites['fence'] {
  const lockRows = prepareForNumbers(store, (db, isGiven) =>
    db
      .selectFrom('schedule')
      .select(['monitor', 'claim', 'first_claim', 'lease_until'])
      .where('region', '=', sql.lit(region))
      .where(isGiven('monitor'))
      .orderBy('monitor')
      .modifyEnd(store.dialect.forUpdate),
  );
  return async (trip, checks) => {
    const monitors = checks.flatMap(({ monitor, claim }) => (claim === null ? [] : [monitor]));
    const rows = monitors.length === 0 ? [] : await lockRows(trip, [...new Set(monitors)]);
    const byMonitor = new Map(rows.map((row) => [row.monitor, row]));
    return ({ monitor, claim }): ClaimStanding => {
      const row = byMonitor.get(monitor);
      if (claim === null) return 'held';
      if (row === undefined) return 'ended';
      if (claim < row.first_claim) return 'lost';
      return claim === row.claim && row.lease_until > 0 ? 'held' : 'ended';
    };
  };
}
