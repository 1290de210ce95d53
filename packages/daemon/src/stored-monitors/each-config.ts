import { sql, type Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/** For a monitor of at least this size, `lightConfig` does not select the config. Then `eachConfig` reads it. */
const heavyFromBytes = 8 * 1024;

/**
 * Selects the size of a monitor, and its config. The config is null for a monitor of at least `heavyFromBytes`, so that
 * a statement about several hundred monitors blocks the event loop for only a few milliseconds.
 */
export const lightConfig = [
  'monitor.bytes',
  sql<string | null>`case when monitor.bytes < ${sql.lit(heavyFromBytes)} then monitor.config end`.as('config'),
] as const;

/**
 * Limits on the configs that one turn of the event loop reads. The largest monitors have almost a megabyte, so such a
 * monitor gets a turn of its own.
 */
const maxAtOnce = { bytes: 1024 * 1024, monitors: 100 };

interface Sized {
  seq: number;
  bytes: number;
  /** Missing or null if `eachConfig` has to read it. */
  config?: string | null;
}

/**
 * Calls `use` with each row and its config. Rows that already have their config come first. Then this function reads
 * the other configs in batches, in the order of the rows, and waits for the next turn of the event loop after each
 * batch. It leaves out monitors that were deleted before it read them. It waits even inside a transaction. On SQLite,
 * other writes then wait for the end of the transaction, but reads continue.
 */
export async function eachConfig<Row extends Sized>(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  rows: readonly Row[],
  use: (row: Row & { config: string }) => void,
): Promise<void> {
  const unread: Row[] = [];
  for (const row of rows) {
    if (typeof row.config === 'string') use({ ...row, config: row.config });
    else unread.push(row);
  }
  for (const piece of inPieces(unread)) {
    const seqs = piece.map(({ seq }) => seq);
    const found = await db.selectFrom('monitor').select(['seq', 'config']).where('seq', 'in', seqs).execute();
    const configs = new Map(found.map(({ seq, config }) => [seq, config]));
    for (const row of piece) {
      const config = configs.get(row.seq);
      if (config !== undefined) use({ ...row, config });
    }
    await nextTurn();
  }
}

function* inPieces<Row extends Sized>(rows: readonly Row[]): Generator<Row[]> {
  let piece: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (piece.length === maxAtOnce.monitors || (piece.length > 0 && bytes + row.bytes > maxAtOnce.bytes)) {
      yield piece;
      [piece, bytes] = [[], 0];
    }
    piece.push(row);
    bytes += row.bytes;
  }
  if (piece.length > 0) yield piece;
}
