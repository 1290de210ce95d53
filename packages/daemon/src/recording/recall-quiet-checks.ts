import { readResultCode } from '../store/result-code.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import type { QuietChecks } from './quiet-checks.ts';

/** Maximum number of results that a start of the daemon reads, so that it takes a second at most. */
const maxResults = 200_000;

/** After a restart, reads the times of the latest passed checks from `recent_result`, and passes them to `quiet`. */
export async function recallQuietChecks(store: Store, quiet: Pick<QuietChecks, 'learn'>): Promise<void> {
  const slots = await store.db.selectFrom('result_slot').select('slot').orderBy('slot', 'desc').execute();
  let read = 0;
  for (const { slot } of slots) {
    const rows = await store.db
      .selectFrom('recent_result as recent')
      .innerJoin('monitor', 'monitor.seq', 'recent.monitor')
      .select(['recent.monitor', 'recent.region', 'recent.at', 'recent.code', 'monitor.generation'])
      .where('recent.slot', '=', slot)
      .execute();
    for (const { code, ...check } of rows)
      if (readResultCode(code).error === null) quiet.learn(check, { effect: 'time' });
    read += rows.length;
    if (read >= maxResults) return;
    await nextTurn();
  }
}
