/**
 * Tracks the requests that wait for a check. When the daemon stops, `close` rejects them, so that they get an error.
 * Otherwise the stop would close their connections without an answer.
 */
export function createWaitingRoom() {
  const leave = new Set<(reason: Error) => void>();
  return {
    async untilClosed<T>(work: Promise<T>): Promise<T> {
      const closed = Promise.withResolvers<never>();
      leave.add(closed.reject);
      try {
        return await Promise.race([work, closed.promise]);
      } finally {
        leave.delete(closed.reject);
      }
    },
    close(reason: Error) {
      for (const reject of leave) reject(reason);
    },
  };
}
