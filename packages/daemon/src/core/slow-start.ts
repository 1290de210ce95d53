/** After this many crashes in a row, each within a minute of its start, the next start is slow. */
const crashLoopAfter = 3;
/** A run of at least this length does not belong to a crash loop. */
const longRunMs = 60_000;
const firstFraction = 0.1;
const doubledEachMs = 10_000;

/** How an earlier run of the daemon ended. Times in epoch milliseconds. */
export interface EarlierRun {
  startedAt: number;
  /** The last sign of life of the run. */
  aliveAt: number;
  /** When the run stopped cleanly, or null. */
  endedAt: number | null;
  /** How many runs directly before this run crashed soon after their start. */
  shortRuns: number;
}

/** How many runs in a row have crashed within a minute of their start, including this one. */
export function shortRunsAfter(run: EarlierRun): number {
  const short = run.endedAt === null && run.aliveAt - run.startedAt < longRunMs;
  return short ? run.shortRuns + 1 : 0;
}

/**
 * The fraction of its capacity that a daemon may use at this time after its start. It is 1 unless the daemon is in a
 * crash loop.
 */
export function startFraction(shortRuns: number, sinceStartMs: number): number {
  if (shortRuns < crashLoopAfter) return 1;
  return Math.min(1, firstFraction * 2 ** Math.floor(sinceStartMs / doubledEachMs));
}
