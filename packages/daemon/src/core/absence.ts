/**
 * The latest time at which a daemon showed that it runs. Each daemon writes such a sign of life to the database every
 * second. `aliveAt` is in epoch milliseconds.
 */
export interface SignOfLife {
  region: number;
  aliveAt: number;
}

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
