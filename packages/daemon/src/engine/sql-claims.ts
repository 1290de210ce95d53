import { sql } from 'kysely';
import { type MergedChange, mergeChanges } from '../core/schedule-change.ts';
import type { SteadyClock } from '../deps.ts';
import type { ScheduleWrites } from '../recording/record-outcome.ts';
import { prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Claims } from './claims.ts';
import { createClaimFence } from './claim-fence.ts';
import { createScheduleRows, type ScheduleRows } from './schedule-rows.ts';
import { createSqlLeases } from './sql-leases.ts';

/** Maximum number of monitors in one query. */
const maxMonitorsAtOnce = 500;

type ChangedRow = Omit<MergedChange, 'release'> & { release: number };

export interface SqlClaims extends Claims {
  /** The functions that read and change the schedule in the transaction that records checks. */
  writes: ScheduleWrites;
}

/**
 * Creates claims that are leases in the database, which several daemons share. Commits do not wait for the disk: if a
 * power cut loses a claim, the monitor is simply claimed again.
 */
export function createSqlClaims(store: Store, clock: SteadyClock, region: number): SqlClaims {
  const rows = createScheduleRows(store, clock, region);
  const columns = { monitor: 'long', region: 'long', nextAt: 'long', notBefore: 'long', release: 'integer' } as const;
  const applyChanges = prepareForRows<ChangedRow, unknown>(store, columns, (db, given) =>
    db
      .updateTable('schedule')
      .from(given)
      .set((set) => {
        const nextAt = set.fn.coalesce('given.nextAt', 'schedule.next_at');
        const notBefore = set.ref('given.notBefore');
        return {
          next_at: set.case().when(nextAt, '<', notBefore).then(notBefore).else(nextAt).end(),
          lease_until: sql<number>`case when given.release = 1 then 0 else schedule.lease_until end`,
        };
      })
      .whereRef('schedule.monitor', '=', 'given.monitor')
      .whereRef('schedule.region', '=', 'given.region'),
  );

  return {
    ...createSqlLeases(store, clock, rows),
    ...createScheduleReads(store, rows),
    // Does nothing, because the transaction that records the check changes the schedule.
    checkEnded() {},
    writes: {
      fence: createClaimFence(store, region),
      async apply(trx, changes) {
        if (changes.length === 0) return;
        const rows = mergeChanges(changes).map((change) => ({ ...change, release: change.release ? 1 : 0 }));
        await applyChanges(trx, rows);
      },
    },
    nextCheckAt: () => null,
  };
}

/** Creates the functions that read the due checks without claiming them. */
function createScheduleReads(
  store: Store,
  { region, freeAt, dueNow }: ScheduleRows,
): Pick<Claims, 'firstFree' | 'oldestDue' | 'waiting' | 'unwanted'> {
  return {
    firstFree: () =>
      store.db
        .selectFrom('schedule')
        .select(['next_at', freeAt.as('at')])
        .where('region', '=', region)
        .orderBy(freeAt)
        .limit(1)
        .executeTakeFirst(),
    async oldestDue(of) {
      const oldest = await dueNow(of).select('next_at').orderBy(freeAt).limit(1).executeTakeFirst();
      return oldest?.next_at ?? null;
    },
    async waiting(project) {
      const { count } = await dueNow({ project })
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
    async unwanted(checked) {
      const monitors = [...checked.keys()];
      const wanted = new Set<number>();
      for (let at = 0; at < monitors.length; at += maxMonitorsAtOnce) {
        const rows = await store.db
          .selectFrom('schedule')
          .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
          .select(['monitor.seq', 'monitor.generation'])
          .where('schedule.region', '=', region)
          .where('schedule.monitor', 'in', monitors.slice(at, at + maxMonitorsAtOnce))
          .execute();
        for (const { seq, generation } of rows) if (generation === checked.get(seq)) wanted.add(seq);
      }
      return monitors.filter((monitor) => !wanted.has(monitor));
    },
  };
}
