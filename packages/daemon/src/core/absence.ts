/** The last sign of life of another daemon, in epoch milliseconds. */
export interface SignOfLife {
  region: number;
  aliveAt: number;
}

/** A daemon still serves if its last sign of life is at most this old. Signs are a second apart, and may be late. */
export const servingMs = 3000;

/**
 * Returns since when no daemon served, if this one was absent from `from` to `to`. That is the time of the latest sign
 * of life of any daemon, but not before `from`. Null if another daemon serves at `to`. A sign from the future comes
 * from a wrong clock, and proves nothing. All times are epoch milliseconds.
 */
export function unservedSince(from: number, to: number, others: readonly Pick<SignOfLife, 'aliveAt'>[]): number | null {
  const times = others.map(({ aliveAt }) => aliveAt).filter((at) => at <= to + servingMs);
  const latest = Math.max(from, ...times);
  return times.some((at) => at > to - servingMs) ? null : latest;
}
