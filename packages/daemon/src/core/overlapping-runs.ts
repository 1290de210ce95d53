/**
 * What is known of the checks of one monitor that are under way. They are several where they take longer than its
 * interval: the next one does not wait, or an outage would be found the later the longer its checks hang. Checks that
 * somebody asked for run alongside them and are not counted.
 */
export interface OverlappingRuns {
  /** How many have begun. */
  begun: number;
  /** The number of the latest that reached a verdict. What earlier ones find is no news. */
  answered: number;
  /** The number of the latest that had begun when an asked check that passed was over. */
  overtaken: number;
  /** What the monitor was when the latest began. */
  generation: number;
  /** When the next is due, on the monotonic clock; null once the latest is over. */
  nextAt: number | null;
}

/** One check among them. */
export interface Run {
  /** Its number; of an asked check, that of the latest scheduled one before it. */
  place: number;
  /** Somebody asked for it. */
  asked: boolean;
  /** The schedule's claim was taken for it. */
  holdsClaim: boolean;
}

/** What later checks, begun or over, make of a run. */
export interface Standing {
  later: 'none' | 'running' | 'over';
  overtaken: boolean;
}

export const noRuns = (generation: number): OverlappingRuns => ({
  begun: 0,
  answered: 0,
  overtaken: 0,
  generation,
  nextAt: null,
});

/** Begins a check. `nextAt` is when the next is due; null for an asked check without the claim, which moves nothing. */
export function beginRun(
  runs: OverlappingRuns,
  { generation, asked, nextAt }: { generation: number; asked: boolean; nextAt: number | null },
): { runs: OverlappingRuns; run: Run } {
  const begun = asked ? runs.begun : runs.begun + 1;
  return {
    runs: { ...runs, generation, begun, nextAt: nextAt ?? runs.nextAt },
    run: { place: begun, asked, holdsClaim: nextAt !== null },
  };
}

/** A check has ended. Where no later one has begun, the schedule says when the next is due. */
export function endRun(runs: OverlappingRuns, run: Run): OverlappingRuns {
  return runs.begun === run.place && run.holdsClaim ? { ...runs, nextAt: null } : runs;
}

/** A check that was not abandoned reached a verdict. */
export function answerRun(runs: OverlappingRuns, run: Run, verdict: 'up' | 'down'): OverlappingRuns {
  if (!run.asked) return { ...runs, answered: Math.max(runs.answered, run.place) };
  return verdict === 'up' ? { ...runs, overtaken: Math.max(runs.overtaken, run.place) } : runs;
}

export function standingOf(runs: OverlappingRuns, { place, asked, holdsClaim }: Run): Standing {
  if (asked) {
    const last = holdsClaim && runs.begun === place;
    return { later: last ? 'none' : 'running', overtaken: runs.answered > place };
  }
  const later = runs.answered > place ? 'over' : runs.begun > place ? 'running' : 'none';
  return { later, overtaken: runs.overtaken >= place };
}

/** Whether the next check is due while one still runs. */
export const isNextDue = ({ nextAt }: OverlappingRuns, monotonic: number): boolean =>
  nextAt !== null && nextAt <= monotonic;
