import { selectUnfolded } from '../../store/recent-results.ts';
import type { Store } from '../../store/store.ts';
import type { DayRange } from './range.ts';
import { maxPageRows, readPages } from './read-pages.ts';

/** A stored result of a check with its details. */
export interface StoredResult {
  at: number;
  region: number;
  code: number;
  tenths: number | null;
  error_message: string | null;
  timings: string | null;
}

/** Resolves with the time of a monitor's oldest stored result in a range; null if there is none in the range. */
export async function oldestResult(store: Store, monitor: number, range: DayRange): Promise<number | null> {
  // A recent result may move to the table `result` between the two queries. So the recent results are read first. Then
  // a result that moves is found twice, but never missed.
  const [recent] = await recentResults(store, monitor, range);
  const moved = await store.db
    .selectFrom('result')
    .select('at')
    .where('monitor', '=', monitor)
    .where('at', '>=', range.from)
    .where('at', '<', range.until)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  const times = [recent, moved].flatMap((result) => result?.at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Yields the results of a monitor in order of time and region, in pages. */
export async function* storedResults(store: Store, monitor: number, range: DayRange): AsyncGenerator<StoredResult[]> {
  let recent = await recentResults(store, monitor, range);
  for await (const moved of movedResults(store, monitor, range)) {
    const last = moved.at(-1)!;
    const until = recent.findIndex((result) => inOrder(result, last) > 0);
    const earlier = until === -1 ? recent : recent.slice(0, until);
    recent = until === -1 ? [] : recent.slice(until);
    // Usually only the last page has recent results.
    if (earlier.length === 0) {
      yield moved;
      continue;
    }
    // A result that moved to the table `result` between the two queries is in both lists, so it is left out of the
    // recent results.
    const known = new Set(moved.map(({ at, region }) => `${at} ${region}`));
    const others = earlier.filter(({ at, region }) => !known.has(`${at} ${region}`));
    yield others.length === 0 ? moved : [...moved, ...others].toSorted(inOrder);
  }
  for (let at = 0; at < recent.length; at += maxPageRows) yield recent.slice(at, at + maxPageRows);
}

const inOrder = (one: StoredResult, other: StoredResult) => one.at - other.at || one.region - other.region;

async function recentResults(store: Store, monitor: number, { from, until }: DayRange): Promise<StoredResult[]> {
  const rows = await selectUnfolded(store.db, 'results')
    .leftJoin('result_detail as detail', (join) =>
      join
        .onRef('detail.monitor', '=', 'recent.monitor')
        .onRef('detail.at', '=', 'recent.at')
        .onRef('detail.region', '=', 'recent.region'),
    )
    .select(['detail.error_message', 'detail.timings'])
    .where('recent.monitor', '=', monitor)
    .where('recent.at', '>=', from)
    .where('recent.at', '<', until)
    .execute();
  return rows.toSorted(inOrder);
}

const movedResults = (store: Store, monitor: number, { from, until }: DayRange) =>
  readPages((last: { at: number; region: number } = { at: from, region: -1 }) =>
    store.db
      .selectFrom('result')
      .leftJoin('result_detail as detail', (join) =>
        join
          .onRef('detail.monitor', '=', 'result.monitor')
          .onRef('detail.at', '=', 'result.at')
          .onRef('detail.region', '=', 'result.region'),
      )
      .select(['result.at', 'result.region', 'result.code', 'result.tenths', 'detail.error_message', 'detail.timings'])
      .where('result.monitor', '=', monitor)
      .where('result.at', '>=', last.at)
      .where('result.at', '<', until)
      .where((row) => row.or([row('result.at', '>', last.at), row('result.region', '>', last.region)]))
      .orderBy('result.at')
      .orderBy('result.region')
      .limit(maxPageRows)
      .execute(),
  );
