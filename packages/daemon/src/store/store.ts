import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/**
 * The open database. Reads go to `db` and see what is committed; writes go through `write`, which begins with a write
 * lock, waits out a locked database without blocking the event loop, and throws `unavailable` when it can't be had.
 */
export interface Store {
  db: Kysely<Tables>;
  dialect: Dialect;
  /** Runs `work` in one transaction: all of it or none. Must not wait for anything but the database. */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
