import type { DatabaseConnection, Driver } from 'kysely';
import { translateFailure } from './failures.ts';

/** Wraps a driver, so that it throws `unavailable` for errors that a retry may cure. */
export function translatingDriver(driver: Driver): Driver {
  const known = new WeakSet<DatabaseConnection>();
  const translating = async <T>(work: Promise<T>) => {
    try {
      return await work;
    } catch (error) {
      throw translateFailure(error);
    }
  };
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await translating(acquire(options));
    if (!known.has(connection)) {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, options) => translating(execute(query, options));
      known.add(connection);
    }
    return connection;
  };
  return driver;
}
