import { existsSync } from 'node:fs';
import { ConfigError, readConfig } from '../config/config.ts';
import { readConfigFile } from '../config/config-file.ts';
import { parseFlags } from '../config/parse-flags.ts';
import { DataDirInUse, isDataDirInUse, readInstance, takeDataDir } from '../data-dir.ts';
import { systemClock } from '../deps.ts';
import { createAccounts } from '../http/accounts.ts';
import { createProcessLog } from '../log.ts';
import { readMove, undoMove } from '../store/database-move.ts';
import { openStore } from '../store/open-store.ts';
import { refuseEarlyUpgrade } from '../store/refuse-early-upgrade.ts';
import { sqliteFile } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { migrateToPostgres } from './migrate-to-postgres.ts';
import { MoveError } from './move-error.ts';

export interface MoveContext {
  env: Record<string, string | undefined>;
  print: (line: string) => void;
  /** Aborted when the operator interrupts the move. */
  stopping: AbortSignal;
}

/** Minimum time between two lines about the progress in a long table. */
const progressAfterMs = 3000;

const help = `uptimed migrate-to-postgres: move a SQLite installation to PostgreSQL

  uptimed migrate-to-postgres --to postgres://uptime@db.example.com/uptime
  uptimed migrate-to-postgres --undo

The PostgreSQL database must be empty. The daemon continues to work while most rows are copied. During the last part, it
accepts only pings. The time of that part depends on how many rows it compares. It compares the rows of the last four
hours, the rows since the first comparison began, and all monitors, alerts and other rows without history. Allow a
minute for a million rows. Then restart the daemon with UPTIME_DATABASE_URL: it first records the pings of the last part
in PostgreSQL. If the move is interrupted, the daemon continues with SQLite; run the same command again.

  --to <address>      the PostgreSQL; default: UPTIME_DATABASE_URL, which keeps a password out of the list of processes
  --data-dir <folder> the data folder; default: UPTIME_DATA_DIR
  --config <file>     the daemon's config file
  --undo              return to SQLite as it was at the move`;

/**
 * Runs `uptimed migrate-to-postgres`. Throws ConfigError for a wrong command line, and MoveError if the data cannot be
 * moved.
 */
export async function runMove(args: string[], context: MoveContext): Promise<void> {
  const given = parse(args);
  if (given.help) return context.print(help);
  const file = given.config === undefined ? {} : await readConfigFile(given.config);
  const dataFolder = given['data-dir'];
  const flags = dataFolder === undefined ? {} : { dataDir: dataFolder };
  const config = readConfig({ flags, env: context.env, file });
  const { dataDir } = config;
  if (!existsSync(sqliteFile(dataDir)))
    throw new MoveError(
      `${dataDir} has no SQLite database. Name the daemon's folder with --data-dir or UPTIME_DATA_DIR.`,
    );
  if (given.undo) return undo(dataDir, context);
  const databaseUrl = given.to ?? config.databaseUrl;
  if (!databaseUrl) throw new ConfigError('Name the PostgreSQL with --to postgres://… or UPTIME_DATABASE_URL.');

  const lock = lockUnlessServed(dataDir);
  const log = createProcessLog('error', null);
  const stores: Store[] = [];
  try {
    const isFolderInUse = () => lock === null;
    for (const place of [null, databaseUrl])
      await refuseEarlyUpgrade({ databaseUrl: place, dataDir, log, isFolderInUse });
    const sqlite = await openStore({ dataDir, log });
    stores.push(sqlite);
    const postgres = await openStore({ databaseUrl, dataDir, log });
    stores.push(postgres);
    // `createAccounts` is called only for its effect on PostgreSQL: it deletes accounts whose sign-up was interrupted.
    const secret = 'Nothing is signed here.';
    await createAccounts({ store: postgres, clock: systemClock, log, secret, siteUrl: '', signup: 'closed' });
    const { print, stopping } = context;
    const { read } = await migrateToPostgres({
      clock: systemClock,
      dataDir,
      installation: readInstance(dataDir),
      sqlite,
      postgres,
      served: lock === null,
      print,
      tell: createProgress(context),
      stopping,
    });
    print(ended(read, lock === null));
  } finally {
    for (const store of stores) await store.close();
    lock?.release();
  }
}

const ended = (rows: number | null, served: boolean) => `${
  rows === null
    ? 'Done. An earlier run had moved and compared all rows.'
    : `Done. The last comparison read ${rows.toLocaleString('en')} rows, and none differs.`
}

Now set UPTIME_DATABASE_URL to that PostgreSQL and ${served ? 'restart' : 'start'} uptimed.${served ? ' Until then it accepts only pings, and stores them.' : ''}
If you set no UPTIME_SECRET_KEY, keep the data folder: it holds the key that decrypts the stored secrets.`;

async function undo(dataDir: string, { print }: MoveContext): Promise<void> {
  const log = createProcessLog('error', null);
  const isFolderInUse = () => isDataDirInUse(dataDir);
  await refuseEarlyUpgrade({ databaseUrl: null, dataDir, log, isFolderInUse });
  const sqlite = await openStore({ dataDir, log });
  try {
    const move = await readMove(sqlite.db);
    if (move?.state !== 'moved') throw new MoveError(`The data of ${dataDir} was not moved, so nothing was changed.`);
    await undoMove(sqlite.db);
    print(
      `${dataDir} is in use again. Start uptimed without UPTIME_DATABASE_URL. Changes since the move are only in PostgreSQL.`,
    );
  } finally {
    await sqlite.close();
  }
}

/** Locks the data folder, so that no daemon starts during the move. Returns null if a daemon runs already. */
function lockUnlessServed(dataDir: string): { release(): void } | null {
  try {
    return takeDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** Returns a function that prints the progress in a long table, at most once in `progressAfterMs`. */
function createProgress({ print, stopping }: MoveContext) {
  let printedMonoMs = systemClock.monotonicMs();
  return (table: string, read: number, differing: number) => {
    stopping.throwIfAborted();
    const nowMonoMs = systemClock.monotonicMs();
    if (nowMonoMs - printedMonoMs < progressAfterMs) return;
    printedMonoMs = nowMonoMs;
    const changed = differing > 0 ? `, ${differing.toLocaleString('en')} written` : '';
    print(`    ${table}: ${read.toLocaleString('en')} rows${changed}`);
  };
}

function parse(args: string[]) {
  const { values } = parseFlags({
    args,
    options: {
      to: { type: 'string' },
      'data-dir': { type: 'string' },
      config: { type: 'string' },
      undo: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return values;
}
