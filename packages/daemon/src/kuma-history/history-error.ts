/** Thrown if a history cannot be imported. Its message is a full sentence for the operator. */
export class HistoryError extends Error {
  override name = 'HistoryError';
}
