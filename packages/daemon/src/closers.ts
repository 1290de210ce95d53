/** Collects functions. Each closes one part that was opened during a start, such as the store or a listener. */
export interface Closers {
  add(close: () => unknown): void;
  /**
   * Closes every part, the last opened first. If a part fails to close, all other parts are still closed, and the error
   * is thrown at the end. The next call then tries to close only the parts that failed.
   */
  close(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => unknown)[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    const failures: unknown[] = [];
    const failed: (() => unknown)[] = [];
    for (const close of closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
        failed.unshift(close);
      }
    }
    closers.unshift(...failed);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join(' '));
  };
  return {
    add: (close) => void closers.push(close),
    close: () =>
      (closed ??= closeAll().catch((error: unknown) => {
        closed = undefined;
        throw error;
      })),
  };
}
