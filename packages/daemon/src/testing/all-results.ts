import { selectUnfolded } from '../store/recent-results.ts';
import type { Store } from '../store/store.ts';
import type { ResultTable } from '../store/tables.ts';

/** Returns all stored results in order of time, from the tables `recent_result` and `result`. */
export async function allResults({ db }: Pick<Store, 'db'>): Promise<ResultTable[]> {
  const recent = await selectUnfolded(db, 'results').execute();
  const moved = await db.selectFrom('result').selectAll().execute();
  return [...recent, ...moved].toSorted((one, other) => one.at - other.at);
}
