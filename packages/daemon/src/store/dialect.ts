import { type AliasedRawBuilder, type Kysely, type RawBuilder, sql, type TransactionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** All differences between SQLite and PostgreSQL. */
export interface Dialect {
  name: 'sqlite' | 'postgres';
  /** Whether only one daemon uses the database. Then the claims of an earlier run have no owner any more. */
  exclusive: boolean;
  columns: ColumnTypes;
  /** The end of `create table`. `keyed` is for tables stored in the order of their primary key. */
  tableEnd: (keyed: boolean) => RawBuilder<unknown>;
  /**
   * Begins a transaction in which no row that was read can be changed by another before it is written; the second
   * transaction runs again. If not durable, its commit does not wait for the disk, and only rows read `forUpdate` are
   * protected.
   */
  transaction: (db: Kysely<Tables>, durable: boolean) => TransactionBuilder<Tables>;
  hasTable: (db: Kysely<Tables>, name: string) => Promise<boolean>;
  /** The larger of two columns, as SQL. */
  greatest: (left: string, right: string) => RawBuilder<number>;
  /** The end of a select: locks its rows for this transaction, after waiting for other locks. */
  forUpdate: RawBuilder<unknown>;
  /** The end of a select: locks the rows of this table for the transaction, and skips rows that another has locked. */
  skipLocked: (table: keyof Tables) => RawBuilder<unknown>;
  /** Lets only one daemon at a time record an absence or move the timeline, until the end of the transaction. */
  lockAbsences: (trx: Kysely<Tables>) => Promise<void>;
  /**
   * Reads the database server's clock in epoch milliseconds, which all daemons share. Null if only one daemon uses the
   * database: its own clock will do.
   */
  wallClock: WallClock | null;
  /** A row with this key exists already. */
  isUniqueViolation: (error: unknown) => boolean;
  /** A row that this row refers to does not exist. */
  isForeignKeyViolation: (error: unknown) => boolean;
  /**
   * Claims due and unclaimed monitors of a region until `leaseUntil`, the longest due first. No two callers get the
   * same row, and none waits for another. Times in epoch milliseconds.
   */
  claimDue: (trx: Kysely<Tables>, claim: Claim) => Promise<DueMonitor[]>;
  /** Returns the space of deleted rows to the disk (up to 4 MB a call), if the database does not do so itself. */
  shrink: (db: Kysely<Tables>) => Promise<void>;
  /**
   * Many rows as one parameter (as they are, or from `encodeRows`), to select from, join, or insert:
   * `trx.insertInto('ping').columns([…]).expression(trx.selectFrom(dialect.rows('given', { monitor: 'integer' },
   * items)).selectAll())`.
   */
  rows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    items: readonly R[] | string,
  ) => AliasedRawBuilder<R, A>;
}

/** Reads a wall clock, in epoch milliseconds, inside or outside a transaction. */
export type WallClock = (db: Kysely<Tables>) => Promise<number>;

/** SQL types by their contents. */
export interface ColumnTypes {
  /** A primary key that counts up and is never reused. */
  serial: RawBuilder<unknown>;
  /** A cheaper primary key that counts up. The latest number may be reused after its row is deleted. */
  counter: RawBuilder<unknown>;
  /** A whole number up to 2^31. */
  integer: RawBuilder<unknown>;
  /** A whole number up to 2^53: times in epoch milliseconds, sums. */
  bigInteger: RawBuilder<unknown>;
  /** Text, compared byte by byte. */
  text: RawBuilder<unknown>;
}

export interface Claim {
  region: number;
  now: number;
  leaseUntil: number;
  limit: number;
  /** The projects whose monitors are claimed: one, or all except some. Default: all. */
  of?: ProjectFilter;
  /** Claims only checks that became due after this, in epoch milliseconds. */
  after?: number;
}

export type ProjectFilter = { project: string } | { except: readonly string[] };

export interface DueMonitor {
  monitor: number;
  next_at: number;
  project: string;
}

/** The condition of a claim on `schedule.project`, as SQL to append to others. */
export function ofProject(filter: ProjectFilter | undefined): RawBuilder<unknown> {
  if (filter === undefined) return sql``;
  if ('project' in filter) return sql`and project = ${filter.project}`;
  return filter.except.length === 0 ? sql`` : sql`and project not in (${sql.join(filter.except)})`;
}

/** The type of each field of a row given as JSON. */
export type RowColumns<R> = { [K in keyof R]: 'integer' | 'long' | 'text' };

/**
 * Encodes rows as JSON arrays in the order of the columns, because databases read array elements faster than named
 * fields. Rows of one column become plain values, which are faster still.
 */
export function encodeRows<R extends object>(columns: RowColumns<R>, items: readonly R[]): string {
  const names = Object.keys(columns) as (keyof R)[];
  const [only, ...more] = names;
  if (only !== undefined && more.length === 0) return JSON.stringify(items.map((item) => item[only]));
  return JSON.stringify(items.map((item) => names.map((name) => item[name])));
}
