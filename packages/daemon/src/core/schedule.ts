/** Milliseconds by which a check lies off the grid of its interval: low-discrepancy, so that starts are spread evenly. */
export function phaseOf(monitor: number, region: number, interval: number): number {
  const golden = 0.618_033_988_749_894_9;
  return Math.floor((((monitor + region * 0.5) * golden) % 1) * interval);
}

/**
 * The next check after `after`: the grid of a monitor's interval is fixed, so checks neither drift nor bunch up after a
 * restart. All in epoch milliseconds.
 */
export function nextCheckAt(after: number, interval: number, phase: number): number {
  return Math.floor((after - phase) / interval) * interval + interval + phase;
}

/**
 * When the check that follows one is due: at the next point of the grid after its begin, so that a run of failures takes
 * no longer than its intervals, or at once where it took longer than that. After a failed check it is an interval later,
 * on the grid or not: the first check after a start and the next point of the grid are no two rounds. All in epoch
 * milliseconds.
 */
export function followingCheckAt(
  check: { begun: number; at: number; failed: boolean },
  interval: number,
  phase: number,
): number {
  const begun = Math.min(check.begun, check.at);
  return Math.max(check.at, check.failed ? begun + interval : nextCheckAt(begun, interval, phase));
}

/** Most milliseconds by which a check that begins late still belongs to the time at which it was due. */
const mostLate = 2000;

/** The time for which a check stands: when it was due, or a little before its begin where it begins much later. In milliseconds. */
export function roundOf(check: { due: number; begun: number }, interval: number): number {
  return Math.max(check.due, check.begun - Math.min(mostLate, interval / 2));
}

/**
 * How long to wait before a check that failed for the checker's own fault is tried again: 1 s, doubling to 30 s, but
 * never longer than its interval, so that no outage is found later than without the fault. All in milliseconds.
 */
export function retryDelay(blindFor: number, interval: number): number {
  return Math.min(30_000, interval, Math.max(1000, blindFor));
}
