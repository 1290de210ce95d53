import { sql, type Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/**
 * A monitor of at least this size is read in a separate turn of the event loop. The largest monitors have almost a
 * megabyte.
 */
export const heavyFromBytes = 64 * 1024;

/**
 * Selects the config of a monitor as `config`. It is null for a monitor of at least `heavyFromBytes`, whose config
 * `eachConfig` reads.
 */
export const lightConfig = sql<
  string | null
>`case when monitor.bytes < ${sql.lit(heavyFromBytes)} then monitor.config end`.as('config');

/**
 * Calls `use` with each row and its config. First come rows that have their config, then heavy monitors, one in each
 * turn of the event loop. Monitors that were deleted meanwhile are left out.
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
