/** Says in a sentence why a history cannot be imported. */
export class HistoryError extends Error {
  override name = 'HistoryError';
}
