import type { Config } from '../config/config.ts';
import { isDataDirInUse } from '../data-dir.ts';
import { systemClock } from '../deps.ts';
import { createProcessLog } from '../log.ts';
import { moverGoneAfterMs, readMove } from '../store/database-move.ts';
import { openStore } from '../store/open-store.ts';
import { neverUsed } from '../store/open-unchanged.ts';
import { refuseEarlyUpgrade } from '../store/refuse-early-upgrade.ts';
import type { Store } from '../store/store.ts';
import { AdminError } from './users.ts';

/**
 * Opens the database if a daemon has used it, and throws AdminError otherwise. So a mistyped folder or address does not
 * create a new, empty database. Also throws AdminError in two other cases:
 * - The data of a SQLite database was moved to PostgreSQL, or is being moved.
 * - A running daemon uses an older schema. To open the database would upgrade that schema.
 */
export async function openServed({ dataDir, databaseUrl }: Config): Promise<Store> {
  const log = createProcessLog('error', null);
  let schema: string;
  try {
    const isFolderInUse = () => isDataDirInUse(dataDir);
    schema = await refuseEarlyUpgrade({ databaseUrl, dataDir, log, isFolderInUse });
  } catch (error) {
    throw new AdminError((error as Error).message, { cause: error });
  }
  if (schema === 'none') throw new AdminError(neverUsed('this database'));
  const store = await openStore({ databaseUrl: databaseUrl ?? undefined, dataDir, log });
  const reason = databaseUrl === null ? await refusal(store) : null;
  if (reason === null) return store;
  await store.close();
  throw new AdminError(reason);
}

/**
 * Returns why a task must not use this SQLite database, or null. If the data was moved to PostgreSQL or is being moved,
 * PostgreSQL would not get the changes of the task, such as a revoked token.
 */
async function refusal({ db }: Store): Promise<string | null> {
  const move = await readMove(db);
  if (move?.state === 'moved') return 'The data of this folder was moved to PostgreSQL. Set UPTIME_DATABASE_URL.';
  const isEnding = move?.state === 'closing' || move?.state === 'closed';
  if (isEnding && systemClock.now() - move.renewed_at < moverGoneAfterMs)
    return 'The data of this folder is being moved to PostgreSQL. Run this command again when the move has ended.';
  return null;
}
