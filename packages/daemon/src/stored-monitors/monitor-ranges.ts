import { nextTurn } from '../wait.ts';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Maximum number of monitors in a range. With this number, a statement about a range blocks the event loop for only a
 * few milliseconds.
 */
const maxMonitorsAtOnce = 500;

export interface MonitorRange {
  first: number;
  last: number;
}

/**
 * Yields ranges that together contain all monitors, in the order of their numbers. Other work can run between two
 * ranges.
 */
export async function* monitorRanges(db: Pick<Transaction<Tables>, 'selectFrom'>): AsyncGenerator<MonitorRange> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('monitor_state')
      .select('monitor')
      .where('monitor', '>', after)
      .orderBy('monitor')
      .limit(maxMonitorsAtOnce)
      .execute();
    const last = rows.at(-1)?.monitor;
    if (last === undefined) return;
    yield { first: after + 1, last };
    after = last;
    await nextTurn();
  }
}

/**
 * Yields the numbers of the monitors that a region checks, in ascending order, up to 500 at a time. Other work can run
 * in between.
 */
export async function* monitorsOfRegion(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  region: number,
): AsyncGenerator<number[]> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('schedule')
      .select('monitor')
      .where('region', '=', region)
      .where('monitor', '>', after)
      .orderBy('monitor')
      .limit(maxMonitorsAtOnce)
      .execute();
    const last = rows.at(-1)?.monitor;
    if (last === undefined) return;
    yield rows.map(({ monitor }) => monitor);
    after = last;
    await nextTurn();
  }
}
