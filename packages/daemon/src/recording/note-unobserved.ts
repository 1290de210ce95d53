import type { Transaction } from 'kysely';
import { unobservedSince } from '../core/late-time.ts';
import { storedState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import type { QuietChecks } from './quiet-checks.ts';

/**
 * The regions that report nothing at present, and what decides which of their monitors count as not observed. Times are
 * epoch milliseconds.
 */
export interface Silence {
  regions: readonly number[];
  now: number;
  /** The time since which this process has run without an absence. */
  observingSince: number;
  quiet: Pick<QuietChecks, 'withTimes'>;
}

/**
 * Marks monitors as not observed if only these regions check them, and if their last result is older than three
 * intervals. The mark is `blind_since`, set to three intervals after the last result. The status stays. The next result
 * removes the mark.
 */
export async function noteUnobserved(store: Store, silence: Silence): Promise<void> {
  for await (const range of monitorRanges(store.db)) {
    // Usually no monitor has to be marked, and then no transaction is necessary.
    if ((await findUnobserved(store.db, range, silence)).length === 0) continue;
    await store.write(
      async (trx) => {
        for (const { monitor, since } of await findUnobserved(trx, range, silence, store.dialect.forUpdate))
          await trx.updateTable('monitor_state').set({ blind_since: since }).where('monitor', '=', monitor).execute();
      },
      { durable: false },
    );
  }
}

type Lock = Store['dialect']['forUpdate'];

async function findUnobserved(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  { first, last }: MonitorRange,
  { regions, now, observingSince, quiet }: Silence,
  lock?: Lock,
): Promise<{ monitor: number; since: number }[]> {
  const checkedFrom = (operator: 'in' | 'not in') =>
    db
      .selectFrom('schedule')
      .select('schedule.monitor')
      .where('schedule.monitor', '>=', first)
      .where('schedule.monitor', '<=', last)
      .where('schedule.region', operator, regions);
  let query = db
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('status', 'in', ['up', 'down'])
    .where('blind_since', 'is', null)
    .where('monitor', 'in', checkedFrom('in'))
    .where('monitor', 'not in', checkedFrom('not in'))
    .orderBy('monitor');
  if (lock) query = query.modifyEnd(lock);
  const states = await query.execute();
  if (states.length === 0) return [];
  const monitors = await db
    .selectFrom('monitor')
    .select(['seq', 'type', 'key', 'name', 'config'])
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .execute();
  const intervals = new Map(monitors.map((row) => [row.seq, storedFields(row).interval * 1000]));
  return states.flatMap((row) => {
    const intervalMs = intervals.get(row.monitor);
    if (intervalMs === undefined) return [];
    const since = unobservedSince(quiet.withTimes(row.monitor, storedState(row)), intervalMs, observingSince);
    return since <= now ? [{ monitor: row.monitor, since }] : [];
  });
}
