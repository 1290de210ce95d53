/** The data could not be moved. The message says what to do. */
export class MoveError extends Error {
  override name = 'MoveError';
}

export const otherRunText =
  'Another run of this command has begun since. Nothing was changed in SQLite. Wait until the other run has ended.';

export const lostText =
  'This command gave no sign of life for some seconds, so the daemon uses SQLite again. Nothing was changed there. ' +
  'Run the same command again: it copies only what is missing or has changed.';
