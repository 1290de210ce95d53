import type { Absence } from '../core/absence.ts';
import { readResultCode } from '../store/result-code.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import type { QuietChecks } from './quiet-checks.ts';

/** Maximum number of results that a start of the daemon reads, so that reading takes at most a second. */
const maxRecalledResults = 200_000;

/**
 * After a restart, reads the latest results from `recent_result`, newest first, and passes the times of passed checks to
 * `quiet`. Stops once it has read `maxResults` results. Resolves with the span of time whose results it did not read;
 * null if it read all.
 */
export async function recallQuietChecks(
  store: Store,
  quiet: Pick<QuietChecks, 'learn'>,
  maxResults = maxRecalledResults,
): Promise<Absence | null> {
  const slots = await store.db.selectFrom('result_slot').select('slot').orderBy('slot', 'desc').execute();
  let read = 0;
  for (const [place, { slot }] of slots.entries()) {
    const rows = await store.db
      .selectFrom('recent_result as recent')
      .innerJoin('monitor', 'monitor.seq', 'recent.monitor')
      .select(['recent.monitor', 'recent.region', 'recent.at', 'recent.code', 'monitor.generation'])
      .where('recent.slot', '=', slot)
      .execute();
    for (const { code, ...check } of rows)
      if (readResultCode(code).error === null) quiet.learn(check, { effect: 'time' });
    read += rows.length;
    // The number of a slot is the time of its first results, in epoch seconds (open-slots.ts).
    if (read >= maxResults && place < slots.length - 1) return { from: slots.at(-1)!.slot * 1000, to: slot * 1000 };
    await nextTurn();
  }
  return null;
}
