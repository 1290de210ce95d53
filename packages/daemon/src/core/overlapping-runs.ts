/**
 * The running checks of one monitor. Checks that take longer than the interval overlap. The next one does not wait,
 * because slow checks would otherwise delay the detection of an outage. Checks that a user asked for run alongside and
 * are not counted.
 */
export interface OverlappingRuns {
  /** How many scheduled checks have begun. It is also the number of the latest of them. */
  begun: number;
  /** The number of the latest check with a verdict. Results of earlier ones are ignored. */
  answered: number;
  /**
   * When a requested check last passed: the number of the latest scheduled check that had begun by then. Results of
   * that check and of earlier ones do not count.
   */
  overtaken: number;
  /** The monitor's generation when the latest check began. */
  generation: number;
  /** When the next check is due, on the monotonic clock; null after the end of the latest check. */
  nextAt: number | null;
}

/** One check of the monitor. */
export interface Run {
  /** The number of the check. A requested check has the number of the latest scheduled check before it. */
  index: number;
  /** Whether a user asked for the check. */
  requested: boolean;
  /** Whether the schedule's claim was taken for the check. */
  holdsClaim: boolean;
}

/**
 * How later checks affect a run. `later`: whether a later check runs, or already has a verdict (`over`). `overtaken`:
 * whether a requested check that began later has passed, or, for a requested check, whether a later scheduled check has
 * a verdict.
 */
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

/**
 * Begins a check. `nextAt` is when the next one is due; null for a requested check without the claim, because such a
 * check does not move the schedule.
 */
export function beginRun(
  runs: OverlappingRuns,
  { generation, requested, nextAt }: { generation: number; requested: boolean; nextAt: number | null },
): { runs: OverlappingRuns; run: Run } {
  const begun = requested ? runs.begun : runs.begun + 1;
  return {
    runs: { ...runs, generation, begun, nextAt: nextAt ?? runs.nextAt },
    run: { index: begun, requested, holdsClaim: nextAt !== null },
  };
}

/** Ends a check. If no later check has begun, the schedule decides when the next check is due. */
export function endRun(runs: OverlappingRuns, run: Run): OverlappingRuns {
  return runs.begun === run.index && run.holdsClaim ? { ...runs, nextAt: null } : runs;
}

/** Records the verdict of a check that was not abandoned. */
export function answerRun(runs: OverlappingRuns, run: Run, verdict: 'up' | 'down'): OverlappingRuns {
  if (!run.requested) return { ...runs, answered: Math.max(runs.answered, run.index) };
  return verdict === 'up' ? { ...runs, overtaken: Math.max(runs.overtaken, run.index) } : runs;
}

export function standingOf(runs: OverlappingRuns, { index, requested, holdsClaim }: Run): Standing {
  if (requested) {
    const last = holdsClaim && runs.begun === index;
    return { later: last ? 'none' : 'running', overtaken: runs.answered > index };
  }
  const later = runs.answered > index ? 'over' : runs.begun > index ? 'running' : 'none';
  return { later, overtaken: runs.overtaken >= index };
}

/** Whether the next check is due while an earlier one still runs. */
export const isNextDue = ({ nextAt }: OverlappingRuns, monotonic: number): boolean =>
  nextAt !== null && nextAt <= monotonic;
