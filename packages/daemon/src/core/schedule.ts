/**
 * Returns the offset of a monitor's checks in a region: how many milliseconds after the start of each interval they are
 * due. The golden ratio spreads these offsets evenly over the interval.
 */
export function phaseOf(monitor: number, region: number, intervalMs: number): number {
  const golden = 0.618_033_988_749_894_9;
  return Math.floor((((monitor + region * 0.5) * golden) % 1) * intervalMs);
}

/**
 * Returns the next point of a monitor's grid after `after`. The grid is a row of fixed times, an interval apart, at
 * which the monitor is checked. So checks do not drift, and do not bunch up after a restart.
 */
export function nextCheckAt(after: number, intervalMs: number, phaseMs: number): number {
  return Math.floor((after - phaseMs) / intervalMs) * intervalMs + intervalMs + phaseMs;
}

/**
 * Returns when the next check is due: at the next point of the monitor's grid after the last check began. So n failures
 * in a row take no longer than n intervals. If a check took longer than its interval, the next check is due at once.
 *
 * There is one exception. After a failed check, the next check is due an interval after the start of that check, on the
 * grid or not. Otherwise the first check after a start of the daemon and the next check on the grid could be very
 * close. They would then count as one round.
 */
export function followingCheckAt(
  check: { begunAt: number; at: number; failed: boolean },
  intervalMs: number,
  phaseMs: number,
): number {
  const begunAt = Math.min(check.begunAt, check.at);
  return Math.max(check.at, check.failed ? begunAt + intervalMs : nextCheckAt(begunAt, intervalMs, phaseMs));
}

/** The longest time between the nominal start of a check (see `roundOf`) and its real start. */
const maxLateMs = 2000;

/**
 * Returns the nominal start of a check, by which rounds are counted. It is the time at which the check was due. If the
 * check really began much later, its nominal start is shortly before its real start.
 *
 * If the check began an interval or more after it was due, other checks have become due meanwhile. The check then
 * counts as the latest of these. Otherwise that latest check would follow at once, and a busy checker would fall
 * further behind.
 */
export function roundOf(check: { due: number; begunAt: number }, intervalMs: number): number {
  const missed = Math.max(0, Math.floor((check.begunAt - check.due) / intervalMs));
  return Math.max(check.due + missed * intervalMs, check.begunAt - Math.min(maxLateMs, intervalMs / 2));
}

/**
 * Returns the delay of the retry after a checker fault, counted from the start of the check. The delay is 1 s at first,
 * then as long as the fault has lasted, up to 30 s. It never exceeds the interval, so that the fault does not delay the
 * detection of an outage.
 */
export function faultRetryDelayMs(unobservedForMs: number, intervalMs: number): number {
  return Math.min(30_000, intervalMs, Math.max(1000, unobservedForMs));
}

/**
 * Returns when the first check after a start of the daemon is due: at the next point of the monitor's grid. Only a
 * pending monitor is due at once, because it has not been checked since its creation or latest edit (`since`).
 */
export function firstCheckAt(
  { monitor, region, since, pending }: { monitor: number; region: number; since: number; pending: boolean },
  intervalMs: number,
  now: number,
): number {
  return pending ? Math.min(since, now) : nextCheckAt(now, intervalMs, phaseOf(monitor, region, intervalMs));
}
