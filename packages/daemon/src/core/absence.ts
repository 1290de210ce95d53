/**
 * The latest time at which a daemon showed that it runs. Each daemon writes such a sign of life to the database every
 * second. `aliveAt` is in epoch milliseconds.
 */
export interface SignOfLife {
  region: number;
  aliveAt: number;
}

/**
 * The latest time in which no daemon received results, in epoch milliseconds. `from` equals `to` if there was no such
 * time.
 */
export interface Absence {
  from: number;
  to: number;
}

export const noAbsence: Absence = { from: 0, to: 0 };

/**
 * A daemon counts as serving while its last sign of life is younger than this. The next sign follows after one second,
 * but may be late.
 */
export const servingMs = 3000;

/**
 * Returns since when no daemon has served. This daemon was absent from `from` to `to`. The returned time is the latest
 * sign of life of any other daemon, or `from` if that sign is older. Returns null if another daemon serves at `to`. A
 * sign of life more than `servingMs` after `to` comes from a wrong clock, and is ignored. All times are epoch
 * milliseconds.
 */
export function unservedSince(from: number, to: number, others: readonly Pick<SignOfLife, 'aliveAt'>[]): number | null {
  const times = others.map(({ aliveAt }) => aliveAt).filter((at) => at <= to + servingMs);
  const latest = Math.max(from, ...times);
  return times.some((at) => at > to - servingMs) ? null : latest;
}

/**
 * Returns for how many milliseconds from `since` to `now` a daemon could receive reports. The time of the absence does
 * not count.
 */
export function observedMs(since: number, now: number, { from, to }: Absence): number {
  return now - since - Math.max(0, Math.min(to, now) - Math.max(from, since));
}

/**
 * Returns the latest absence, extended by the absence before it. If the daemons ran only briefly between the two
 * absences, few reports could arrive. So `from` moves back by the length of the earlier absence, less the time between
 * the two.
 */
export function withEarlier(latest: Absence, earlier: Absence | null): Absence {
  if (!earlier || earlier.to > latest.from) return latest;
  const carriedMs = Math.max(0, earlier.to - earlier.from - (latest.from - earlier.to));
  return { from: latest.from - carriedMs, to: latest.to };
}
