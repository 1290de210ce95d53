import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { DirectStatements } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

/*
 * The room's doors:
 *   openStore({ databaseUrl, dataDir, log, nativeBinding }): Promise<Store>                         open-store.ts
 *   store.db            Kysely<Tables>, for reads (and single writes, which wait their turn)
 *   store.write(work)   one transaction                                                             this file
 *   store.dialect       what differs: isUniqueViolation, claimDue, rows, shrink …                   dialect.ts
 *   prepare(store, (db, p: Params) => query): (dbOrTrx, params) => Promise<Row[]>, for hot paths    prepared.ts
 *   prepareChange(store, …): the same, answering how many rows it changed                           prepared.ts
 *   createBatch(store, apply): { submit(item), settled(), close() }, group commit                   batch.ts
 */

/**
 * The open database. Reads go to `db` and see what is committed; writes go through `write`, which begins with a write
 * lock, waits out a locked database without blocking the event loop, and throws `unavailable` when it can't be had.
 */
export interface Store {
  db: Kysely<Tables>;
  dialect: Dialect;
  /**
   * Runs `work` in one transaction: all of it or none. `work` must use only the transaction it is given (asking `db`
   * for a write from inside waits for itself), wait for nothing but the database, and bear being run twice.
   */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** SQLite's short way for prepared statements; see prepared.ts, its only user. */
  direct?: DirectStatements;
  /** Lets running work end, then closes. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False: whole and in order after a crash, but the last of it may be gone after a power cut. For claims and signs of
   * life, which the next start makes anew; it saves waiting for the disk.
   */
  durable?: boolean;
}
