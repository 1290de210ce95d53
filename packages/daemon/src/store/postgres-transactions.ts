import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely';

const beginUnsynced = 'start transaction isolation level read committed; set local synchronous_commit = off';

/**
 * Wraps PostgreSQL's driver for transactions that are not durable (see `transaction` in dialect.ts):
 * - Their commits do not wait for the disk. A later synced commit also puts these commits on disk, because all commits
 *   share one write-ahead log (WAL).
 * - The statement that begins a transaction shares a round trip with the first statement in the transaction.
 */
export function quickTransactions(driver: Driver): Driver {
  const wrapped = new WeakSet<DatabaseConnection>();
  const toBegin = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await acquire(options);
    if (wrapped.has(connection)) return connection;
    wrapped.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async (query, options) => {
      if (!toBegin.delete(connection)) return execute(query, options);
      const [, answer] = await Promise.all([execute(CompiledQuery.raw(beginUnsynced)), execute(query, options)]);
      return answer as never;
    };
    return connection;
  };
  driver.beginTransaction = async (connection, settings) => {
    if (settings.isolationLevel === 'read committed') toBegin.add(connection);
    else await begin(connection, settings);
  };
  return driver;
}
