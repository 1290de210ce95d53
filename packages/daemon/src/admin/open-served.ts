import type { Config } from '../config/config.ts';
import { createProcessLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { neverUsed, openUnchanged } from '../store/open-unchanged.ts';
import type { Store } from '../store/store.ts';
import { AdminError } from './users.ts';

/**
 * Opens the database if a daemon has used it, and throws AdminError otherwise. So a mistyped folder or address does not
 * become a new, empty database.
 */
export async function openServed({ dataDir, databaseUrl }: Config): Promise<Store> {
  const log = createProcessLog('error', null);
  let schema: string;
  try {
    const opened = await openUnchanged({ databaseUrl, dataDir, log });
    schema = opened.schema;
    await opened.close();
  } catch (error) {
    throw new AdminError((error as Error).message, { cause: error });
  }
  if (schema === 'none') throw new AdminError(neverUsed('this database'));
  return openStore({ databaseUrl: databaseUrl ?? undefined, dataDir, log });
}
