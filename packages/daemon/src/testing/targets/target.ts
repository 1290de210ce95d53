/** A test's own listener. `await using` closes it, and every connection to it, at the end of the block. */
export interface Target extends AsyncDisposable {
  port: number;
  close(): Promise<void>;
}
