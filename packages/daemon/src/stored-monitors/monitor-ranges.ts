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

type Reader = Pick<Transaction<Tables>, 'selectFrom'>;

/**
 * Yields ranges that together contain all monitors, in the order of their numbers. Other work can run between two
 * ranges.
 */
export async function* monitorRanges(db: Reader): AsyncGenerator<MonitorRange> {
  const all = db.selectFrom('monitor_state').select('monitor').orderBy('monitor').limit(maxMonitorsAtOnce);
  let first = 1;
  for await (const numbers of pagesOf((after) => all.where('monitor', '>', after).execute())) {
    const last = numbers.at(-1)!;
    yield { first, last };
    first = last + 1;
  }
}

/**
 * Yields the numbers of the monitors that a region checks, in ascending order, up to 500 at a time. Other work can run
 * in between.
 */
export function monitorsOfRegion(db: Reader, region: number): AsyncGenerator<number[]> {
  const own = db.selectFrom('schedule').select('monitor').where('region', '=', region);
  const page = own.orderBy('monitor').limit(maxMonitorsAtOnce);
  return pagesOf((after) => page.where('monitor', '>', after).execute());
}

/** Yields pages of numbers until a page is empty. `read` returns the page that follows a number. */
async function* pagesOf(read: (after: number) => Promise<{ monitor: number }[]>): AsyncGenerator<number[]> {
  for (let after = 0; ;) {
    const numbers = (await read(after)).map(({ monitor }) => monitor);
    const last = numbers.at(-1);
    if (last === undefined) return;
    yield numbers;
    after = last;
    await nextTurn();
  }
}
