/** After this many crashes in a row, each within a minute of a start, the next start is slow. */
const crashLoopAfter = 3;
/** A run of the daemon that lasts at least this long does not belong to a crash loop. */
const longRunMs = 60_000;
/** A slow start begins with this fraction of the capacity. The fraction doubles every `doubledEachMs`. */
const firstFraction = 0.1;
const doubledEachMs = 10_000;

/** How an earlier run of the daemon ended. */
export interface EarlierRun {
  startedAt: number;
  /** When the run left its last sign of life. */
  aliveAt: number;
  /** When the run stopped cleanly, or null. */
  endedAt: number | null;
  /** How many runs in a row, directly before this run, crashed within a minute of their start. */
  shortRuns: number;
}

/** Returns how many runs in a row have crashed within a minute of their start, up to and including `run`. */
export function shortRunsAfter(run: EarlierRun): number {
  const short = run.endedAt === null && run.aliveAt - run.startedAt < longRunMs;
  return short ? run.shortRuns + 1 : 0;
}

/**
 * Returns the fraction of its capacity that a daemon may use this long after its start. It is 1 unless the daemon is in
 * a crash loop.
 */
export function startFraction(shortRuns: number, sinceStartMs: number): number {
  if (shortRuns < crashLoopAfter) return 1;
  return Math.min(1, firstFraction * 2 ** Math.floor(sinceStartMs / doubledEachMs));
}
