/** The data could not be moved. The message says what to do. */
export class MoveError extends Error {
  override name = 'MoveError';
}

export const otherRunText =
  'Another run of this command has replaced this one. Nothing was changed in SQLite. Wait until the other run has ended.';

export const anotherRunsText =
  'Another run of this command is ending its move. Wait until it has ended. If it was killed, try again after 15 s.';

const runAgainText = 'Run the same command again: it copies only what is missing or has changed.';

export const lostText =
  'This command gave no sign of life for some seconds, so the move was given up, and the daemon uses SQLite. Nothing ' +
  `was changed there. ${runAgainText}`;

export const restartedText =
  'The daemon was restarted during the move, so the move was given up, and the daemon uses SQLite. Nothing was changed ' +
  `there. ${runAgainText}`;
