import type { Database } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { type Logger, systemClock } from '../deps.ts';
import { nextTurn } from '../wait.ts';
import { isBusy, locked, translateFailure } from './failures.ts';
import { createMutex } from './mutex.ts';
import { retry } from './retry.ts';
import { type CachedStatement, createStatementCache } from './statement-cache.ts';

export interface SqliteConnections {
  reader: Database;
  writer: Database;
  log: Pick<Logger, 'warn'>;
  /** How long a write waits for its turn, and then again for the lock of the database. */
  lockTimeoutMs?: number | undefined;
  /**
   * Whether the writer is in a transaction. The driver keeps it equal to `writer.inTransaction`, which takes longer to
   * read.
   */
  isWriting: boolean;
}

const defaultLockTimeoutMs = 30_000;
/** How long consecutive writes may take in one turn of the event loop. */
const sliceMs = 4;
/**
 * Each time long texts of this many bytes have been committed, the driver makes a checkpoint in a separate turn of the
 * event loop. A checkpoint copies the write-ahead log to the database. SQLite itself would copy 4 MB at once, within
 * the commit of a transaction.
 */
const checkpointAfterBytes = 2 * 1024 * 1024;
/** Only texts of at least this length count toward `checkpointAfterBytes`. Many shorter texts share one page. */
const longFromCharacters = 16_384;

/**
 * Returns Kysely's driver over two connections of better-sqlite3: one for reads, one for writes. Writes take turns, so
 * that no transaction sees a part of another transaction. While another process holds the lock, the driver waits with a
 * timer, because a wait inside SQLite would block the event loop. Both connections must have a busy timeout of 0.
 */
export function createSqliteDriver(connections: SqliteConnections): Driver {
  const { reader, writer, log, lockTimeoutMs = defaultLockTimeoutMs } = connections;
  const readStatement = createStatementCache(reader);
  const writeStatement = createStatementCache(writer);
  const turn = createMutex({ monotonicMs: () => systemClock.monotonicMs(), sliceMs });
  const idle: SqliteConnection[] = [];

  const createConnection = (): SqliteConnection => ({
    release: undefined,
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      if (this.release) {
        for (const value of parameters) {
          if (typeof value === 'string' && value.length >= longFromCharacters) longBytes += value.length;
        }
        return inKysely(inTransaction(connections, () => run<R>(writeStatement(sql), parameters)));
      }
      if (mayOnlyRead.test(sql)) {
        const statement = readStatement(sql);
        if (statement.readonly) return retryWhileLocked(() => inKysely(run<R>(statement, parameters)), lockTimeoutMs);
      }
      const release = await turn.acquire(lockTimeoutMs, locked);
      try {
        setSynchronous('full');
        return await retryWhileLocked(
          () => (pragma.test(sql) ? runPragma<R>(writer, sql) : inKysely(run<R>(writeStatement(sql), parameters))),
          lockTimeoutMs,
        );
      } finally {
        release();
      }
    },
    streamQuery() {
      throw new Error(
        'The store does not stream, because an open cursor would hold the connection. Page by key instead.',
      );
    },
  });

  const execute = (sql: string) => run(writeStatement(sql), []);

  let longBytes = 0;
  let closing = false;
  const checkpoint = async () => {
    await nextTurn();
    if (closing) return;
    const release = await turn.acquire(lockTimeoutMs, locked);
    try {
      writer.pragma('wal_checkpoint(passive)');
    } finally {
      release();
    }
  };
  // A failed checkpoint loses nothing: the write-ahead log keeps all changes, and the next checkpoint copies them.
  const checkpointSoon = () =>
    void checkpoint().catch((error: unknown) => {
      log.warn(
        { err: error },
        'SQLite could not copy its write-ahead log to the database; the next write of long texts tries again',
      );
    });

  // In WAL mode, a commit with `normal` is complete, but not on disk. The next commit with `full` puts it on disk too.
  let synchronous = 'full';
  const setSynchronous = (level: 'normal' | 'full') => {
    if (synchronous === level) return;
    writer.pragma(`synchronous = ${level}`);
    synchronous = level;
  };

  return {
    async init() {},
    async acquireConnection() {
      return idle.pop() ?? createConnection();
    },
    async beginTransaction(connection, settings) {
      const release = await turn.acquire(lockTimeoutMs, locked, settings.isolationLevel === 'serializable');
      try {
        setSynchronous(settings.isolationLevel === 'read uncommitted' ? 'normal' : 'full');
        await retryWhileLocked(() => {
          execute('begin immediate');
          connections.isWriting = true;
        }, lockTimeoutMs);
      } catch (error) {
        release();
        throw error;
      }
      own(connection).release = release;
    },
    async commitTransaction(connection) {
      try {
        execute('commit');
      } catch (error) {
        throw translateFailure(error);
      }
      connections.isWriting = false;
      endTurn(connection);
      if (longBytes < checkpointAfterBytes) return;
      longBytes = 0;
      checkpointSoon();
    },
    async rollbackTransaction(connection) {
      try {
        // On a full disk SQLite rolls back by itself.
        if (writer.inTransaction) execute('rollback');
      } finally {
        connections.isWriting = writer.inTransaction;
        endTurn(connection);
      }
    },
    async savepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`savepoint ${quoted(name)}`));
    },
    async rollbackToSavepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`rollback to ${quoted(name)}`));
    },
    async releaseSavepoint(connection, name) {
      await connection.executeQuery(CompiledQuery.raw(`release ${quoted(name)}`));
    },
    async releaseConnection(connection) {
      idle.push(own(connection));
    },
    async destroy() {
      closing = true;
      await turn.acquire(lockTimeoutMs, locked);
      reader.close();
      writer.close();
    },
  };
}

/** Runs statements without Kysely. For statements that run very often, Kysely would cost as much as SQLite itself. */
export interface DirectStatements {
  /**
   * Runs a statement on the connection for writes. The caller must be in a transaction, because only a transaction has
   * the turn to write.
   */
  inTurn: DirectStatement;
  /** Runs a select outside a transaction. It sees only committed rows. */
  reading: DirectStatement;
}

/** Returns a function that runs this SQL with parameters, synchronously. */
export type DirectStatement = (sql: string) => <R>(parameters: readonly unknown[]) => DirectResult<R>;

export interface DirectResult<R> {
  rows: R[];
  /** How many rows the statement changed. Undefined for a statement that only reads. */
  changes: number | undefined;
}

export function createDirectStatements(connections: SqliteConnections): DirectStatements {
  const onWriter = directStatement(connections.writer);
  const onReader = directStatement(connections.reader);
  return {
    inTurn(sql) {
      const execute = onWriter(sql);
      return (parameters) => inTransaction(connections, () => execute(parameters));
    },
    // Each commit empties the page cache of the connection for reads. The connection for writes keeps its page cache,
    // and so reads faster. Therefore selects use the connection for writes. But during a transaction, this connection
    // would also read uncommitted changes, so selects then use the connection for reads.
    reading(sql) {
      let prepared: ReturnType<DirectStatement> | undefined;
      let preparedOnReader: ReturnType<DirectStatement> | undefined;
      return (parameters) =>
        connections.isWriting
          ? (preparedOnReader ??= onReader(sql))(parameters)
          : (prepared ??= onWriter(sql))(parameters);
    },
  };
}

/**
 * Runs a statement of a transaction. After some errors, such as a full disk, SQLite rolls the transaction back by
 * itself. Then no more statements of this transaction run, because each would be committed by itself.
 */
function inTransaction<T>(connections: SqliteConnections, execute: () => T): T {
  if (!connections.isWriting) throw new Error('An earlier error has ended this transaction.');
  try {
    return execute();
  } catch (error) {
    connections.isWriting = connections.writer.inTransaction;
    throw error;
  }
}

const directStatement =
  (database: Database): DirectStatement =>
  (sql) => {
    const statement = database.prepare(sql);
    const prepared = { statement, reader: statement.reader, readonly: statement.readonly };
    return <R>(parameters: readonly unknown[]) => run<R>(prepared, parameters);
  };

interface SqliteConnection extends DatabaseConnection {
  /** Ends the turn of the connection's transaction. Undefined outside a transaction. */
  release: (() => void) | undefined;
}

// Outside a transaction, statements that begin with one of these words may use the connection for reads. All others use
// the connection for writes, even pragmas, because many pragmas concern writes.
const mayOnlyRead = /^\s*(select|with|values|explain)\b/i;
const pragma = /^\s*pragma\s/i;

/** Runs a pragma to its end. `run` would end after the first page that incremental_vacuum frees. */
function runPragma<R>(database: Database, sql: string): QueryResult<R> {
  return { rows: database.pragma(sql.replace(pragma, '')) as R[] };
}

function run<R>({ statement, reader, readonly }: CachedStatement, parameters: readonly unknown[]): DirectResult<R> {
  try {
    if (!reader) return { rows: [], changes: statement.run(parameters).changes };
    const rows = statement.all(parameters) as R[];
    return { rows, changes: readonly ? undefined : rows.length };
  } catch (error) {
    throw isBusy(error) ? error : translateFailure(error);
  }
}

/** Returns a result in the form that Kysely expects. */
const inKysely = <R>({ rows, changes }: DirectResult<R>): QueryResult<R> =>
  changes === undefined ? { rows } : { rows, numAffectedRows: BigInt(changes) };

/** Runs `work`, and repeats it for up to `lockTimeoutMs` while another process holds the lock of the database. */
export const retryWhileLocked = <T>(work: () => T, lockTimeoutMs = defaultLockTimeoutMs): Promise<T> =>
  retry(work, { helps: isBusy, windowMs: lockTimeoutMs, firstWaitMs: 1 });

function endTurn(connection: DatabaseConnection): void {
  const { release } = own(connection);
  own(connection).release = undefined;
  release?.();
}

/**
 * Returns a connection of Kysely with its own type. Kysely passes only connections that `acquireConnection` returned.
 */
const own = (connection: DatabaseConnection) => connection as SqliteConnection;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
