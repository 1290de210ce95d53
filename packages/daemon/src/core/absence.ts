/**
 * When another daemon last showed that it runs. Each daemon writes such a sign of life to the database every second.
 * `aliveAt` is in epoch milliseconds.
 */
export interface SignOfLife {
  region: number;
  aliveAt: number;
}

/**
 * A daemon counts as serving while its last sign of life is younger than this. Signs are a second apart, and may be
 * late.
 */
export const servingMs = 3000;

/**
 * Returns since when no daemon served, if this daemon was absent from `from` to `to`. That is the latest sign of life
 * of any daemon, but not before `from`. Null if another daemon serves at `to`. A sign of life that lies more than
 * `servingMs` after `to` comes from a wrong clock, and is ignored. All times are epoch milliseconds.
 */
export function unservedSince(from: number, to: number, others: readonly Pick<SignOfLife, 'aliveAt'>[]): number | null {
  const times = others.map(({ aliveAt }) => aliveAt).filter((at) => at <= to + servingMs);
  const latest = Math.max(from, ...times);
  return times.some((at) => at > to - servingMs) ? null : latest;
}
