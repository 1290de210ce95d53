/** Thrown if a backup cannot be made. The message is for the user. */
export class BackupError extends Error {
  override name = 'BackupError';
}
