/**
 * Milliseconds by which a monitor's checks are offset from its interval's grid. The sequence has low discrepancy, so
 * that starts are spread evenly.
 */
export function phaseOf(monitor: number, region: number, interval: number): number {
  const golden = 0.618_033_988_749_894_9;
  return Math.floor((((monitor + region * 0.5) * golden) % 1) * interval);
}

/**
 * The next check after `after`, on the fixed grid of the monitor's interval. So checks do not drift, and do not bunch
 * up after a restart. All times in epoch milliseconds.
 */
export function nextCheckAt(after: number, interval: number, phase: number): number {
  return Math.floor((after - phase) / interval) * interval + interval + phase;
}

/**
 * When the next check is due. It is the next point of the grid after the last begin, so that a run of failures takes no
 * longer than its intervals. A check that took longer is followed at once. After a failed check the next one is due an
 * interval later, on the grid or not. Otherwise the first check after a start and the next point of the grid might
 * count as one round. All times in epoch milliseconds.
 */
export function followingCheckAt(
  check: { begun: number; at: number; failed: boolean },
  interval: number,
  phase: number,
): number {
  const begun = Math.min(check.begun, check.at);
  return Math.max(check.at, check.failed ? begun + interval : nextCheckAt(begun, interval, phase));
}

/** A check that begins late by at most this time still counts for its due time. */
const mostLateMs = 2000;

/**
 * The time that a check counts for: its due time, or a time shortly before it began if that was much later. If whole
 * intervals have passed since its due time, it counts as the latest check that became due. Otherwise that check would
 * follow at once, and a busy checker would fall further behind. In milliseconds.
 */
export function roundOf(check: { due: number; begun: number }, interval: number): number {
  const missed = Math.max(0, Math.floor((check.begun - check.due) / interval));
  return Math.max(check.due + missed * interval, check.begun - Math.min(mostLateMs, interval / 2));
}

/**
 * Milliseconds from the beginning of a check that failed by the checker's own fault to its retry: 1 s, doubling to 30
 * s. It never exceeds the interval, so that the fault does not delay the detection of an outage. All arguments in
 * milliseconds.
 */
export function retryDelay(blindFor: number, interval: number): number {
  return Math.min(30_000, interval, Math.max(1000, blindFor));
}

/**
 * When the first check after a start is due: at the next point of the grid. A pending monitor has not been checked
 * since `since`, its creation or latest edit, and is due at once. All times in epoch milliseconds.
 */
export function firstCheckAt(
  { monitor, region, since, pending }: { monitor: number; region: number; since: number; pending: boolean },
  interval: number,
  now: number,
): number {
  return pending ? Math.min(since, now) : nextCheckAt(now, interval, phaseOf(monitor, region, interval));
}
