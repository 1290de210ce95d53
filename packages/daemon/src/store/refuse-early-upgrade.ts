import type { SchemaState } from './migrate.ts';
import { type OpenedUnchanged, openUnchanged, type OpenUnchangedOptions } from './open-unchanged.ts';

/** A node that has given no sign of life for this long is treated as stopped. */
const goneAfterMs = 10_000;

/**
 * Resolves with the state of the schema, and changes nothing. Throws if the schema is older and a daemon uses it,
 * because an upgrade could break the statements of that daemon. A command calls this before `openStore`.
 */
export async function refuseEarlyUpgrade(
  options: OpenUnchangedOptions & { isFolderInUse: () => boolean },
): Promise<SchemaState> {
  const { databaseUrl, dataDir, isFolderInUse } = options;
  const opened = await openUnchanged(options);
  try {
    if (opened.schema !== 'older') return opened.schema;
    const isServed = databaseUrl === null ? isFolderInUse() : await hasNodes(opened);
    if (!isServed) return opened.schema;
  } finally {
    await opened.close();
  }
  throw new Error(
    databaseUrl === null
      ? `A daemon uses ${dataDir}, whose database is of an older version. Stop it, or restart it with this version. Then run this command again.`
      : 'Nodes of an older version use this PostgreSQL. Stop them all and start them with this version. Then run this command again.',
  );
}

async function hasNodes(opened: OpenedUnchanged): Promise<boolean> {
  const now = await opened.now();
  const node = await opened.db
    .selectFrom('presence')
    .select('instance')
    .where('ended_at', 'is', null)
    .where('alive_at', '>', now - goneAfterMs)
    .limit(1)
    .executeTakeFirst();
  return node !== undefined;
}
