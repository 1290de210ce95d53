import { beginMove, changeMove, readMove } from '../store/database-move.ts';
import { checkClaim } from './claim-target.ts';
import type { MoveOptions } from './migrate-to-postgres.ts';
import { anotherRunsText, MoveError } from './move-error.ts';
import type { MovedTable } from './move-tables.ts';
import { type FirstRows, historyTables, watchOldRows } from './old-rows.ts';
import { giveSigns, type SignsOfLife } from './signs-of-life.ts';

/**
 * Creates the triggers that note changes of old rows for this run, and gives signs of life from then on. Replaces the
 * triggers of an earlier run. Throws MoveError if a later run has claimed PostgreSQL, or if another run is ending its
 * move.
 */
export async function beginWatch(
  options: MoveOptions,
  move: string,
  tables: readonly MovedTable[],
  firsts: FirstRows,
): Promise<SignsOfLife> {
  const { clock, sqlite, installation } = options;
  for (;;) {
    const earlier = await readMove(sqlite.db);
    if (earlier && earlier.state !== 'watching') throw new MoveError(anotherRunsText);
    // This run must not replace the triggers of a later run. So it first checks that no later run has claimed
    // PostgreSQL. After this check, another run may still claim PostgreSQL and create its triggers. If it does so
    // before the transaction below, `earlier` is outdated. Then the transaction changes nothing, and the loop repeats.
    await checkClaim(options, move);
    const begin = { installation, state: 'watching', move, renewed_at: clock.now(), last_ping: null } as const;
    const isBegun = await sqlite.write(async (trx) => {
      if (!(await (earlier ? changeMove(trx, earlier, begin) : beginMove(trx, begin)))) return false;
      await watchOldRows(trx, historyTables(tables), firsts);
      return true;
    });
    if (isBegun) return giveSigns(options, move);
  }
}
