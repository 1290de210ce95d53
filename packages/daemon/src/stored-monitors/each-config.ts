import { sql, type Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/** From this size on, each monitor is read in a separate turn of the event loop. The largest have almost a megabyte. */
export const heavyFromBytes = 64 * 1024;

/** Selects the config of monitors as `config`; null for monitors from `heavyFromBytes` on, which `eachConfig` reads. */
export const lightConfig = sql<
  string | null
>`case when monitor.bytes < ${sql.lit(heavyFromBytes)} then monitor.config end`.as('config');

/**
 * Calls `use` with each row and its config: first the light ones, then the heavy ones, one in each turn of the event
 * loop. Monitors that were deleted meanwhile are left out.
 */
export async function eachConfig<Row extends { seq: number; config: string | null }>(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  rows: readonly Row[],
  use: (row: Row & { config: string }) => void,
): Promise<void> {
  const heavy: Row[] = [];
  for (const row of rows) {
    if (row.config === null) heavy.push(row);
    else use({ ...row, config: row.config });
  }
  for (const row of heavy) {
    const found = await db.selectFrom('monitor').select('config').where('seq', '=', row.seq).executeTakeFirst();
    if (found) use({ ...row, config: found.config });
    await nextTurn();
  }
}
