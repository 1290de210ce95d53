import type { Database, Statement } from 'better-sqlite3';

/** A prepared statement, with two facts that the driver needs. */
export interface CachedStatement {
  statement: Statement;
  /** Whether the statement returns rows. */
  reader: boolean;
  /** Whether the statement only reads. */
  readonly: boolean;
}

// Maximum number of cached statements. The daemon has far fewer distinct statements. Only statements with lists of many
// different lengths can fill the cache.
const maxStatements = 1000;

/**
 * Returns a function that returns the prepared statement of an SQL text. It prepares each text once, because preparing
 * a statement costs twenty times as much as running it.
 */
export function createStatementCache(database: Database): (sql: string) => CachedStatement {
  const cache = new Map<string, CachedStatement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const cached = { statement, reader: statement.reader, readonly: statement.readonly };
    if (cache.size >= maxStatements) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest);
        break;
      }
    }
    cache.set(sql, cached);
    return cached;
  };
}
