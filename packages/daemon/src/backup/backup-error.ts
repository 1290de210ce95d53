/** The error if a backup cannot be made. Its message is a full sentence for the user. */
export class BackupError extends Error {
  override name = 'BackupError';
}
