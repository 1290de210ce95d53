import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { DirectStatements } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

/*
 * The interface of this folder:
 *   openStore({ databaseUrl, dataDir, log, nativeBinding }): Promise<Store>                         open-store.ts
 *   store.db            Kysely<Tables>, for reads (and single writes, which wait their turn)
 *   store.write(work)   one transaction                                                             this file
 *   store.dialect       differences of the databases: isUniqueViolation, rows, shrink …             dialect.ts
 *   prepare(store, (db, p: Params) => query): (dbOrTrx, params) => Promise<Row[]>, for hot paths    prepared.ts
 *   prepareChange(store, …): like prepare, but returns how many rows it changed                     prepared.ts
 *   createBatch(store, apply): { submit(item), settled(), close() }, group commit                   batch.ts
 */

/**
 * The open database. Reads through `db` see committed data. On SQLite, `write` first takes the write lock. While
 * another process holds the lock, `write` waits without blocking the event loop. It throws `unavailable` if it does not
 * get the lock in time.
 */
export interface Store {
  db: Kysely<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` in one transaction, and returns its result. If `work` throws, the transaction is undone. `work` must
   * use only the given transaction, because a write through `db` would wait for ever for this transaction. `work` must
   * wait only for the database, and must be safe to run twice.
   */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Runs prepared statements on SQLite without Kysely. Only prepared.ts uses it. */
  direct?: DirectStatements;
  /** Waits until running work has ended, and then closes the database. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False means that the commit does not wait for the disk. After a crash of the process, the data is complete. A power
   * cut may lose the latest commits, but never a part of a commit. Use false for claims of checks and messages, and for
   * signs of life, because the next start renews them. Also use it for data that a later write syncs.
   */
  durable?: boolean;
  /**
   * On SQLite, an urgent write runs before the waiting writes that are not urgent. But after each urgent write, one
   * write that is not urgent gets its turn. Pings are urgent, because their senders wait.
   */
  urgent?: boolean;
  /**
   * The project or account whose data the write changes. Writes of one owner take turns in this process, because they
   * change the same rows and would conflict. This also limits each owner to one connection to the database.
   */
  owner?: string;
}
