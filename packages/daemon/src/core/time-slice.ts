/**
 * After this time a transaction records no further check, so that pings can be recorded before the next transaction.
 * Recording may take long, because a check that changes a status may open many alerts. One failed target may also
 * change the status of many monitors at once.
 */
export const sliceMs = 8;

/** Returns a function that says whether `ms` milliseconds have passed since this call. */
export function startSlice(monotonicMs: () => number, ms = sliceMs): () => boolean {
  const begunMonoMs = monotonicMs();
  return () => monotonicMs() - begunMonoMs >= ms;
}
