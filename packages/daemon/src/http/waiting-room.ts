/**
 * When the daemon stops, requests for a check that still wait get an error instead of a cut connection. Answered
 * requests are forgotten.
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
