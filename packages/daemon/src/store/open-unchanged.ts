import { access, constants } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../deps.ts';
import { cannotOpenPostgres } from './cannot-open-postgres.ts';
import type { Dialect } from './dialect.ts';
import { type SchemaState, schemaState } from './migrate.ts';
import { faultOfAddress } from './postgres-address.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { openSqliteUnchanged, sqliteFile } from './sqlite.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** A database that is only read. */
export interface OpenedUnchanged {
  db: Kysely<Tables>;
  dialect: Dialect;
  schema: SchemaState;
  /** Reads the clock by which the rows are written: PostgreSQL's clock, or for SQLite the clock of this machine. */
  now(): Promise<number>;
  close(): Promise<void>;
}

export interface OpenUnchangedOptions {
  databaseUrl: string | null;
  dataDir: string;
  log: Logger;
}

/** How long PostgreSQL may take for a statement. */
const statementLimitMs = 5000;

/**
 * Opens a database to examine it: creates no database or table, and does not upgrade the schema. If the database cannot
 * be opened, throws an error with a full sentence.
 */
export async function openUnchanged({ databaseUrl, dataDir, log }: OpenUnchangedOptions): Promise<OpenedUnchanged> {
  const [db, dialect] =
    databaseUrl === null
      ? [await openFile(dataDir), sqliteDialect]
      : [await openPostgres(databaseUrl, log), postgresDialect];
  try {
    const schema = await schemaState(db, dialect);
    const now = async () => (databaseUrl === null ? Date.now() : postgresNow(db));
    return { db, dialect, schema, now, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    throw databaseUrl === null ? error : cannotOpenPostgres(error, databaseUrl);
  }
}

async function openFile(dataDir: string): Promise<Kysely<Tables>> {
  const file = sqliteFile(dataDir);
  try {
    await access(file, constants.R_OK | constants.W_OK);
    // SQLite makes the files of its journal in the folder.
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(neverUsed(dataDir), { cause: error });
    throw new Error(`The database ${file} cannot be read (${code}). Run this command as the user of the daemon.`, {
      cause: error,
    });
  }
  return openSqliteUnchanged(file);
}

async function openPostgres(databaseUrl: string, log: Logger): Promise<Kysely<Tables>> {
  const fault = faultOfAddress(databaseUrl);
  if (fault !== null) throw new Error(`UPTIME_DATABASE_URL ${fault}`);
  const postgres = await import('./postgres.ts');
  return postgres.openPostgres({ databaseUrl, limitMs: statementLimitMs, log });
}

async function postgresNow(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return rows[0]!.now;
}

/** Returns the message about a folder or database in which no daemon has stored anything. */
export const neverUsed = (where: string): string =>
  `No daemon has used ${where} yet. Start a daemon first, or name another place with --data-dir, UPTIME_DATA_DIR or UPTIME_DATABASE_URL.`;
