/** A backup that could not be made. */
export class BackupError extends Error {
  override name = 'BackupError';
}
