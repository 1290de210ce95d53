import { ServiceError } from '../errors.ts';

/**
 * Returns an error's code: `SQLITE_…`, a SQLSTATE of PostgreSQL, or a code of Node. Returns an empty text if there is
 * none.
 */
export function databaseCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Whether an error means that another process holds the lock of the database. If so, a retry helps. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(databaseCode(error));

/** Whether an error means that two transactions conflicted. If so, running the whole transaction again helps. */
export const isSerializationFailure = (error: unknown) => /^(40001|40P01)$/.test(databaseCode(error));

/** Whether an error means that another session held a lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown) => databaseCode(error) === '55P03';

export const locked = (cause?: unknown) =>
  new ServiceError('unavailable', 'Another process keeps the database locked. Try again.', {
    retryAfterSeconds: 5,
    cause,
  });

export const manyWrites = () =>
  new ServiceError('unavailable', 'Earlier writes of this project or account still run. Try again.', {
    retryAfterSeconds: 5,
  });

const sentences: [RegExp, string][] = [
  [/^(SQLITE_FULL|53100)$/, 'The disk is full: the store accepts no writes.'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'The disk that holds the store does not answer.'],
  [/^SQLITE_READONLY/, 'The store can only be read: its file or folder is not writable.'],
  [/^53/, 'The database server has run out of resources.'],
  [/^25006$/, 'The database is read-only: it may be a standby.'],
  [/^(08|57P|25P03)/, 'The database closed the connection.'],
  [/^57014$/, 'The database took too long for a statement.'],
  [
    /^(ECONNREFUSED|ENOENT|EACCES|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH)$/,
    'The database does not answer.',
  ],
];

// pg sets no `code` for these errors, so their messages are compared.
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * Returns `unavailable` for an error that a retry may cure (no space, no lock, no connection). Returns any other error,
 * such as a violated constraint, unchanged.
 */
export function translateFailure(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (isBusy(error)) return locked(error);
  const code = databaseCode(error);
  const sentence = code
    ? sentences.find(([pattern]) => pattern.test(code))?.[1]
    : error instanceof Error && lostConnection.test(error.message)
      ? 'The database closed the connection.'
      : undefined;
  return sentence ? new ServiceError('unavailable', sentence, { retryAfterSeconds: 5, cause: error }) : error;
}
