import type { AliasedRawBuilder, Kysely, RawBuilder, SqlBool, TransactionBuilder } from 'kysely';
import type { WriteOptions } from './store.ts';
import type { Tables } from './tables.ts';

/** The differences in SQL between SQLite and PostgreSQL. */
export interface Dialect {
  name: 'sqlite' | 'postgres';
  /**
   * Whether only one daemon uses the database. If so, a start frees the checks and messages that the earlier run
   * claimed, because no other process can hold a claim.
   */
  exclusive: boolean;
  columns: ColumnTypes;
  /**
   * Returns the SQL after the columns of `create table`. `keyed` is true for tables that are stored in the order of
   * their primary key.
   */
  tableEnd: (keyed: boolean) => RawBuilder<unknown>;
  /**
   * Begins a transaction. If two durable transactions change the same row, one of them fails, and `write` runs the
   * failed one again. The commit of a transaction that is not durable does not wait for the disk. While such a
   * transaction runs, others may change the rows that it has read, except rows that it read with `forUpdate`.
   */
  transaction: (
    db: Kysely<Tables>,
    options: Required<Pick<WriteOptions, 'durable' | 'urgent'>>,
  ) => TransactionBuilder<Tables>;
  hasTable: (db: Kysely<Tables>, name: string) => Promise<boolean>;
  /** Returns SQL for the larger of two columns. */
  greatest: (left: string, right: string) => RawBuilder<number>;
  /**
   * SQL for the end of a select. It locks the selected rows until the end of the transaction, and waits for other locks
   * of these rows.
   */
  forUpdate: RawBuilder<unknown>;
  /**
   * Returns SQL for the end of a select. It locks the rows of this table until the end of the transaction, and skips
   * rows that another transaction has locked.
   */
  skipLocked: (table: keyof Tables) => RawBuilder<unknown>;
  /** Lets only one daemon at a time record an absence or a step of the clock, until the end of the transaction. */
  lockAbsences: (trx: Kysely<Tables>) => Promise<void>;
  /** Lets only one daemon at a time migrate the schema, until the end of the transaction. */
  lockMigrations: (trx: Kysely<Tables>) => Promise<void>;
  /** Lets only one daemon at a time create the first account, until the end of the transaction. */
  lockFirstAccount: (trx: Kysely<Tables>) => Promise<void>;
  /**
   * Reads the clock of the database server, which all daemons share, in epoch milliseconds. Null if only one daemon
   * uses the database, because that daemon uses its own clock.
   */
  wallClock: WallClock | null;
  /** Whether an error means that a row with this key already exists. */
  isUniqueViolation: (error: unknown) => boolean;
  /** Whether an error means that a referenced row does not exist. */
  isForeignKeyViolation: (error: unknown) => boolean;
  /**
   * Gives the space of deleted rows back to the file system, up to 4 MB in a call. It does nothing if the database does
   * this by itself.
   */
  shrink: (db: Kysely<Tables>) => Promise<void>;
  /**
   * Returns a table of many rows that are passed in few parameters. A statement can select from it, join it, or insert
   * it: `trx.insertInto('ping').columns([…]).expression(trx.selectFrom(dialect.rows('given', { monitor: 'integer' },
   * items)).selectAll())`.
   */
  rows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    items: readonly R[],
  ) => AliasedRawBuilder<R, A>;
  /** Returns a table of rows that `encodeRows` encoded. `encoded` may also contain placeholders for such rows. */
  encodedRows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    encoded: EncodedRows,
  ) => AliasedRawBuilder<R, A>;
  encodeRows: <R extends object>(columns: RowColumns<R>, items: readonly R[]) => EncodedRows;
  /**
   * Returns an SQL condition: the value of a column is one of the numbers that `encodeNumbers` encoded. `encoded` may
   * also be a placeholder.
   */
  isAmong: (column: string, encoded: unknown) => RawBuilder<SqlBool>;
  encodeNumbers: (numbers: readonly number[]) => string;
}

/** Reads a wall clock, in epoch milliseconds, inside or outside a transaction. */
export type WallClock = (db: Kysely<Tables>) => Promise<number>;

/** The SQL type for each kind of column. */
export interface ColumnTypes {
  /** A primary key that counts up. A number is never reused. */
  serial: RawBuilder<unknown>;
  /** A cheaper primary key that counts up. The highest number may be reused after its row is deleted. */
  counter: RawBuilder<unknown>;
  /** A whole number up to 2^31. */
  integer: RawBuilder<unknown>;
  /** A whole number up to 2^53, for times in epoch milliseconds and for sums. */
  bigInteger: RawBuilder<unknown>;
  /** Text, compared byte by byte. */
  text: RawBuilder<unknown>;
}

/** The SQL type of each field of the rows that `rows` passes. */
export type RowColumns<R> = { [K in keyof R]: 'integer' | 'long' | 'text' };

/** Encoded rows, as named parameters. Their names depend on the database. */
export type EncodedRows = Record<string, unknown>;
