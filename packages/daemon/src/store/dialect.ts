import { type AliasedRawBuilder, type Kysely, type RawBuilder, sql, type TransactionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** All that differs between SQLite and PostgreSQL. */
export interface Dialect {
  name: 'sqlite' | 'postgres';
  /** One daemon alone has the database: what an earlier one claimed, it claims no more. */
  exclusive: boolean;
  columns: ColumnTypes;
  /** Said at the end of `create table`; `keyed` for tables that are stored in the order of their primary key. */
  tableEnd: (keyed: boolean) => RawBuilder<unknown>;
  /**
   * Begins a transaction in which no row that was read can have been changed by another when it is written: whoever
   * comes second is run again. Not durable: its commit does not wait for the disk, and only rows that were read
   * `forUpdate` are safe from others.
   */
  transaction: (db: Kysely<Tables>, durable: boolean) => TransactionBuilder<Tables>;
  hasTable: (db: Kysely<Tables>, name: string) => Promise<boolean>;
  /** The larger of two columns, as SQL. */
  greatest: (left: string, right: string) => RawBuilder<number>;
  /** Said at the end of a select: holds its rows for this transaction, once nobody else does. */
  forUpdate: RawBuilder<unknown>;
  /** Said at the end of a select: holds the rows of this table for the transaction, and leaves out those that another holds. */
  skipLocked: (table: keyof Tables) => RawBuilder<unknown>;
  /** A row with this key is already there. */
  isUniqueViolation: (error: unknown) => boolean;
  /** What a row refers to is not there. */
  isForeignKeyViolation: (error: unknown) => boolean;
  /**
   * Takes the monitors of a region that are due and not held by anyone, the longest due first, and holds them until
   * `leaseUntil`. No two callers get the same row; none waits for another. Times in epoch milliseconds.
   */
  claimDue: (trx: Kysely<Tables>, claim: Claim) => Promise<DueMonitor[]>;
  /** Gives room that deleted rows left (up to 4 MB a call) back to the disk, where the database does not by itself. */
  shrink: (db: Kysely<Tables>) => Promise<void>;
  /**
   * Many rows as one parameter (as they are, or from `encodeRows`), to select from, join, or insert:
   * `trx.insertInto('ping').columns([…]).expression(trx.selectFrom(dialect.rows('given', { monitor: 'integer' }, items)).selectAll())`.
   */
  rows: <R extends object, A extends string>(
    alias: A,
    columns: RowColumns<R>,
    items: readonly R[] | string,
  ) => AliasedRawBuilder<R, A>;
}

/** SQL types by what they hold. */
export interface ColumnTypes {
  /** A primary key that counts up and never comes twice. */
  serial: RawBuilder<unknown>;
  /** A primary key that counts up, cheaper: the number of the latest row may come again once that is deleted. */
  counter: RawBuilder<unknown>;
  /** A whole number up to 2^31. */
  integer: RawBuilder<unknown>;
  /** A whole number up to 2^53: times in epoch milliseconds, sums. */
  long: RawBuilder<unknown>;
  /** Text, compared byte by byte. */
  text: RawBuilder<unknown>;
}

export interface Claim {
  region: number;
  now: number;
  leaseUntil: number;
  limit: number;
  /** Whose monitors are taken: one project's, or those of all projects but these. Default: of all. */
  of?: ProjectFilter;
  /** Takes only what could be claimed after this, in epoch milliseconds. */
  after?: number;
}

export type ProjectFilter = { project: string } | { except: readonly string[] };

export interface DueMonitor {
  monitor: number;
  next_at: number;
  project: string;
}

/** The condition of a claim on `schedule.project`, as SQL to be put behind others. */
export function ofProject(filter: ProjectFilter | undefined): RawBuilder<unknown> {
  if (filter === undefined) return sql``;
  if ('project' in filter) return sql`and project = ${filter.project}`;
  return filter.except.length === 0 ? sql`` : sql`and project not in (${sql.join(filter.except)})`;
}

/** What each field of a row given as JSON holds. */
export type RowColumns<R> = { [K in keyof R]: 'integer' | 'long' | 'text' };

/**
 * Rows as JSON arrays, in the order of the columns: a database reads a place faster than a name. Rows of one column are
 * the values themselves, which it reads faster still.
 */
export function encodeRows<R extends object>(columns: RowColumns<R>, items: readonly R[]): string {
  const names = Object.keys(columns) as (keyof R)[];
  const [only, ...more] = names;
  if (only !== undefined && more.length === 0) return JSON.stringify(items.map((item) => item[only]));
  return JSON.stringify(items.map((item) => names.map((name) => item[name])));
}
