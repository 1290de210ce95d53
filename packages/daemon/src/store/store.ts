import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { DirectStatements } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

/*
 * The interface of this folder:
 *   openStore({ databaseUrl, dataDir, log, nativeBinding }): Promise<Store>                         open-store.ts
 *   store.db            Kysely<Tables>, for reads (and single writes, which wait their turn)
 *   store.write(work)   one transaction                                                             this file
 *   store.dialect       differences: isUniqueViolation, rows, shrink …                    dialect.ts
 *   prepare(store, (db, p: Params) => query): (dbOrTrx, params) => Promise<Row[]>, for hot paths    prepared.ts
 *   prepareChange(store, …): like prepare, but returns how many rows it changed                     prepared.ts
 *   createBatch(store, apply): { submit(item), settled(), close() }, group commit                   batch.ts
 */

/**
 * The open database. Reads go to `db` and see committed data. Writes go through `write`, which begins with a write
 * lock. It waits for a locked database without blocking the event loop, and throws `unavailable` if it cannot get the
 * lock.
 */
export interface Store {
  db: Kysely<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` in one transaction, entirely or not at all. `work` must use only the given transaction (a write through
   * `db` would deadlock), wait only for the database, and be safe to run twice.
   */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** SQLite's fast path for prepared statements. Only prepared.ts uses it. */
  direct?: DirectStatements;
  /** Lets running work end, then closes. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False: after a crash the data is complete and in order, but a power cut may lose the last of it. The commit does
   * not wait for the disk. Use it for claims and signs of life, which the next start renews.
   */
  durable?: boolean;
  /**
   * True: on SQLite the write comes before other writes that wait, though not twice in a row. Use it for pings, which
   * senders wait for.
   */
  urgent?: boolean;
  /**
   * The project or account that the write is for. Writes of one owner take turns in this process, because they change
   * the same rows and would conflict. So the writes of one owner also hold only one connection to the database.
   */
  owner?: string;
}
