/** A history cannot be imported. The message is a sentence. */
export class HistoryError extends Error {
  override name = 'HistoryError';
}
