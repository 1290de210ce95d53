import type { Pages } from '../handler.ts';
import { cursorOf, cutPage, readPage } from '../paging.ts';
import type { DayRange } from './range.ts';

interface Asked {
  query: { limit?: string | undefined; cursor?: string | undefined };
  nextPage: (cursor: string) => void;
  rest: () => Promise<void>;
}

interface Source<T> {
  /** The items of a range, in order of time. */
  read: (range: DayRange) => Pages<T>;
  /** The time of an item in epoch milliseconds. */
  timeOf: (item: T) => number;
}

/**
 * Resolves with all items of a range, or with the requested page of them. Several items may have the same time. So a
 * cursor contains the time of the last item of a page, and how many items with that time were already shown. Throws
 * `invalid_request` for a cursor that no list returned.
 */
export async function inPages<T>(asked: Asked, range: DayRange, { read, timeOf }: Source<T>): Promise<T[] | Pages<T>> {
  const page = readPage(asked.query);
  const [at, shown] = page.after ?? [range.from, '0'];
  const seen = { at, count: /^\d{1,9}$/.test(shown) ? Number(shown) : 0 };
  const rest = without(read({ ...range, from: Math.max(range.from, at) }), seen, timeOf);
  if (page.limit === null) return rest;

  const items: T[] = [];
  for await (const more of rest) {
    items.push(...more.slice(0, page.limit + 1 - items.length));
    if (items.length > page.limit) break;
    // A page may have a thousand items, and reading and preparing them takes several milliseconds.
    await asked.rest();
  }
  await asked.rest();
  const cursor = (last: T) => {
    const time = timeOf(last);
    const onPage = items.slice(0, page.limit!);
    const count = onPage.length - 1 - onPage.findLastIndex((item) => timeOf(item) !== time);
    return cursorOf(time, String(time === seen.at ? seen.count + count : count));
  };
  return cutPage(items, page, cursor, asked.nextPage);
}

/**
 * Yields the pages without the first `seen.count` items that have the time `seen.at`. Leaves out pages that are then
 * empty.
 */
async function* without<T>(
  pages: Pages<T>,
  seen: { at: number; count: number },
  timeOf: (item: T) => number,
): Pages<T> {
  let left = seen.count;
  for await (const items of pages) {
    const kept = left === 0 ? items : items.filter((item) => left === 0 || timeOf(item) !== seen.at || left-- === 0);
    if (kept.length > 0) yield kept;
  }
}
