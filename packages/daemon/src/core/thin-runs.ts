/** A result that waits on a probe: its number, its monitor, its verdict, and when its check ended. */
interface WaitingResult {
  seq: number;
  monitor: number;
  verdict: string;
  at: number;
  /** The results that were deleted before it; null if none was. */
  thinned: Thinned | null;
}

/** The results of a monitor that were deleted before one of its results. They had the same verdict as that one. */
export interface Thinned {
  /** When the check of the last result before them ended. It has the same verdict, too. */
  since: number;
  /** The longest time between two checks since then. A longer time than some intervals is a gap in the knowledge. */
  longestGapMs: number;
}

/** The changes of a pass for one piece of the results. */
export interface ThinnedPiece {
  /** The numbers of the results that the probe may delete now. */
  gone: number[];
  /** The results that then follow on deleted ones. */
  following: (Thinned & { seq: number })[];
}

/** The latest result of a monitor in a pass. */
interface LatestResult extends WaitingResult {
  /** The result before it that is kept, if that has the same verdict. */
  before: { at: number } | null;
  keptBefore: boolean;
  /** The number of results so far that are the first or the last of a run with the same verdict. */
  ends: number;
}

/** One pass over the waiting results of a probe. */
export interface RunThinning {
  /** Takes the results in pieces, in their order. */
  thin: (results: readonly WaitingResult[]) => ThinnedPiece;
  /** Returns the monitors that need more than an equal share of `most` for results that no pass may delete. */
  overShare(most: number): Set<number>;
}

/** Every monitor may keep this many results, even if an equal share is less. */
export const minShare = 20;

/**
 * The probe may delete a result whose verdict is the same as that of the monitor's results before and after it. So the
 * results before and after each change of verdict are kept. In a long run of results with the same verdict, every
 * second result is kept. The function remembers the latest result of each monitor, because the results of many monitors
 * alternate, and a piece may have only one result of each monitor.
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
        // A step of the clock between two checks may make their difference negative.
        const gapsMs = [last, result].map(({ at, thinned }, place) => {
          const previous = place === 0 ? last.before! : last;
          return thinned?.longestGapMs ?? at - previous.at;
        });
        piece.following.push({ seq: result.seq, since: last.before!.at, longestGapMs: Math.max(0, ...gapsMs) });
      }
      // In a longer run, this result replaces the one before it as the last one.
      const ends = last.before === null ? last.ends + 1 : last.ends;
      const before = isGone ? last.before : { at: last.at };
      latest.set(result.monitor, { ...result, before, keptBefore: !isGone, ends });
    }
    return piece;
  };
  return {
    thin,
    overShare(most) {
      const share = Math.max(minShare, Math.floor(most / latest.size));
      return new Set([...latest].filter(([, { ends }]) => ends > share).map(([monitor]) => monitor));
    },
  };
}
