import type { Database, Statement } from 'better-sqlite3';

/** A prepared statement, with what its driver must know about it. */
export interface CachedStatement {
  statement: Statement;
  /** Whether it returns rows. */
  reader: boolean;
  /** Whether it changes nothing. */
  readonly: boolean;
}

// Size of the cache, far more than the daemon's distinct statements. Only generated statements (lists of many lengths)
// ever evict others.
const capacity = 1000;

/** Prepares each text once, because preparing costs twenty times as much as running. */
export function createStatementCache(database: Database): (sql: string) => CachedStatement {
  const cache = new Map<string, CachedStatement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const cached = { statement, reader: statement.reader, readonly: statement.readonly };
    if (cache.size >= capacity) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest);
        break;
      }
    }
    cache.set(sql, cached);
    return cached;
  };
}
