/** So many crashes in a row, each soon after its start, make the next start a slow one. */
const crashLoopAfter = 3;
/** A run that lasted so long is no part of a crash loop. */
const longRunMs = 60_000;
const firstFraction = 0.1;
const doubledEachMs = 10_000;

/** How an earlier run of the daemon went. Times in epoch milliseconds. */
export interface EarlierRun {
  startedAt: number;
  /** Its last sign of life. */
  aliveAt: number;
  /** When it stopped cleanly, or null. */
  endedAt: number | null;
  /** How many runs before it crashed soon after their start. */
  shortRuns: number;
}

/** How many runs in a row have crashed within a minute of their start, now that this one is over. */
export function shortRunsAfter(run: EarlierRun): number {
  const short = run.endedAt === null && run.aliveAt - run.startedAt < longRunMs;
  return short ? run.shortRuns + 1 : 0;
}

/** The part of its capacity that a daemon may use so long after its start: all, unless it is in a crash loop. */
export function startFraction(shortRuns: number, sinceStartMs: number): number {
  if (shortRuns < crashLoopAfter) return 1;
  return Math.min(1, firstFraction * 2 ** Math.floor(sinceStartMs / doubledEachMs));
}
