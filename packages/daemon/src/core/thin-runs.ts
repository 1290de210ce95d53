/** A result that a probe has not reported yet: its number, its monitor, its verdict, and when its check ended. */
interface WaitingResult {
  seq: number;
  monitor: number;
  verdict: string;
  at: number;
  /** The results that were deleted directly before this result; null if none were deleted. */
  thinned: Thinned | null;
}

/** Describes the deleted results between two remaining results of a monitor. All of them have the same verdict. */
export interface Thinned {
  /** The time of the last result before the deleted results: when its check ended. */
  since: number;
  /**
   * The longest time between two successive checks from `since` on. If it is longer than three intervals, the status in
   * the time of the deleted results is unknown (core/late-time.ts).
   */
  longestGapMs: number;
}

/** The changes that a pass (`RunThinning`) makes to one batch of the results. */
export interface ThinnedPiece {
  /** The numbers of the results that the probe may delete now. */
  gone: number[];
  /** The remaining results that directly follow deleted results. */
  following: (Thinned & { seq: number })[];
}

/** The latest result of a monitor in a pass. */
interface LatestResult extends WaitingResult {
  /** The last kept result before this result, if both have the same verdict; otherwise null. */
  before: { at: number } | null;
  keptBefore: boolean;
  /** How many of the monitor's results in this pass are the first or the last of a run of results with one verdict. */
  ends: number;
}

/** One pass over the waiting results of a probe. */
export interface RunThinning {
  /** Finds results to delete. Call it with one batch of results after another, in their order. */
  thin: (results: readonly WaitingResult[]) => ThinnedPiece;
  /**
   * Every pass keeps the first and the last result of each run. Returns the monitors that have more such results than
   * their share: `maxWaiting` divided by the number of monitors in this pass, but at least `minShare`.
   */
  overShare(maxWaiting: number): Set<number>;
}

/** Minimum share of a monitor: see `overShare`. */
export const minShare = 20;

/**
 * Begins a pass over the waiting results. The pass finds results to delete. A probe deletes results if too many of
 * them wait. A result may be deleted if it has the same verdict as the monitor's results before and after it. So the
 * results before and after each change of verdict are kept. In a long run of results with the same verdict, every
 * second result is kept. The pass remembers the latest result of each monitor, because the results of many monitors
 * alternate, and a batch may have only one result of each monitor.
 */
export function createRunThinning(): RunThinning {
  const latest = new Map<number, LatestResult>();
  const thin = (results: readonly WaitingResult[]) => {
    const piece: ThinnedPiece = { gone: [], following: [] };
    for (const result of results) {
      const last = latest.get(result.monitor);
      if (last?.verdict !== result.verdict) {
        latest.set(result.monitor, { ...result, before: null, keptBefore: true, ends: (last?.ends ?? 0) + 1 });
        continue;
      }
      const isGone = last.keptBefore && last.before !== null;
      if (isGone) {
        piece.gone.push(last.seq);
        // A step of the clock between two checks may make the difference of their times negative.
        const gapsMs = [last, result].map(({ at, thinned }, place) => {
          const previous = place === 0 ? last.before! : last;
          return thinned?.longestGapMs ?? at - previous.at;
        });
        piece.following.push({ seq: result.seq, since: last.before!.at, longestGapMs: Math.max(0, ...gapsMs) });
      }
      // Counts the second result of a run as the run's last result. If the run goes on, a later result is the last one,
      // and the count stays.
      const ends = last.before === null ? last.ends + 1 : last.ends;
      const before = isGone ? last.before : { at: last.at };
      latest.set(result.monitor, { ...result, before, keptBefore: !isGone, ends });
    }
    return piece;
  };
  return {
    thin,
    overShare(maxWaiting) {
      const share = Math.max(minShare, Math.floor(maxWaiting / latest.size));
      return new Set([...latest].filter(([, { ends }]) => ends > share).map(([monitor]) => monitor));
    },
  };
}
