import type { AliasedRawBuilder, Kysely, RawBuilder, SqlBool, TransactionBuilder } from 'kysely';
import type { WriteOptions } from './store.ts';
import type { Tables } from './tables.ts';

/** The differences in SQL between SQLite and PostgreSQL. */
export interface Dialect {
  name: 'sqlite' | 'postgres';
  /**
   * Whether only one daemon uses the database. If so, no process holds the claims of an earlier run any more, and a
   * start frees them.
   */
  exclusive: boolean;
  columns: ColumnTypes;
  /** The end of `create table`. `keyed` is for tables stored in the order of their primary key. */
  tableEnd: (keyed: boolean) => RawBuilder<unknown>;
  /**
   * Begins a transaction. If two durable transactions change the same row, one of them fails and `write` runs it again.
   * If the transaction is not durable, its commit does not wait for the disk. Others may then change the rows that it
   * has read, except those read with `forUpdate`.
   */
  transaction: (
    db: Kysely<Tables>,
    options: Required<Pick<WriteOptions, 'durable' | 'urgent'>>,
  ) => TransactionBuilder<Tables>;
  hasTable: (db: Kysely<Tables>, name: string) => Promise<boolean>;
  /** The larger of two columns, as SQL. */
  greatest: (left: string, right: string) => RawBuilder<number>;
  /** The end of a select: locks its rows for this transaction, after waiting for other locks. */
  forUpdate: RawBuilder<unknown>;
  /**
   * The end of a select: locks the rows of this table for the transaction, and skips rows that another transaction has
   * locked.
   */
  skipLocked: (table: keyof Tables) => RawBuilder<unknown>;
  /** Lets only one daemon at a time record an absence or a step of the clock, until the end of the transaction. */
  lockAbsences: (trx: Kysely<Tables>) => Promise<void>;
  /** Lets only one daemon at a time migrate the schema, until the end of the transaction. */
  lockMigrations: (trx: Kysely<Tables>) => Promise<void>;
  /** Lets only one daemon at a time create the first account, until the end of the transaction. */
  lockFirstAccount: (trx: Kysely<Tables>) => Promise<void>;
  /**
   * Reads the database server's clock in epoch milliseconds, which all daemons share. Null if only one daemon uses the
   * database: it uses its own clock then.
   */
  wallClock: WallClock | null;
  /** Whether an error means that a row with this key already exists. */
  isUniqueViolation: (error: unknown) => boolean;
  /** Whether an error means that a referenced row does not exist. */
  isForeignKeyViolation: (error: unknown) => boolean;
  /** Returns the space of deleted rows to the disk (up to 4 MB a call), if the database does not do so itself. */
  shrink: (db: Kysely<Tables>) => Promise<void>;
  /**
   * Many rows in few parameters, to select from, join, or insert:
   * `trx.insertInto('ping').columns([…]).expression(trx.selectFrom(dialect.rows('given', { monitor: 'integer' },
   * items)).selectAll())`.
   */
  rows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    items: readonly R[],
  ) => AliasedRawBuilder<R, A>;
  /** Rows that `encodeRows` encoded, or placeholders for such rows, as a table. */
  encodedRows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    encoded: EncodedRows,
  ) => AliasedRawBuilder<R, A>;
  encodeRows: <R extends object>(columns: RowColumns<R>, items: readonly R[]) => EncodedRows;
  /** Whether a column is one of the numbers that `encodeNumbers` encoded. `encoded` may also be a placeholder. */
  isAmong: (column: string, encoded: unknown) => RawBuilder<SqlBool>;
  encodeNumbers: (numbers: readonly number[]) => string;
}

/** Reads a wall clock, in epoch milliseconds, inside or outside a transaction. */
export type WallClock = (db: Kysely<Tables>) => Promise<number>;

/** SQL types by their contents. */
export interface ColumnTypes {
  /** A primary key that counts up and is never reused. */
  serial: RawBuilder<unknown>;
  /** A cheaper primary key that counts up. The highest number may be reused after its row is deleted. */
  counter: RawBuilder<unknown>;
  /** A whole number up to 2^31. */
  integer: RawBuilder<unknown>;
  /** A whole number up to 2^53: times in epoch milliseconds, sums. */
  bigInteger: RawBuilder<unknown>;
  /** Text, compared byte by byte. */
  text: RawBuilder<unknown>;
}

/** The type of each field of a row that is passed as a parameter. */
export type RowColumns<R> = { [K in keyof R]: 'integer' | 'long' | 'text' };

/** Encoded rows, as named parameters. Their names depend on the database. */
export type EncodedRows = Record<string, unknown>;
