/**
 * The running checks of one monitor. Checks that take longer than the interval overlap: the next check does not wait
 * for the running check, because slow checks would otherwise delay the detection of an outage. A requested check, for
 * which a user asked, runs alongside these checks, and has no number of its own.
 */
export interface OverlappingRuns {
  /**
   * How many scheduled checks have begun. Their numbers begin at 1, so this is also the number of the latest scheduled
   * check.
   */
  begun: number;
  /**
   * The number of the latest scheduled check that has a verdict. Results of checks with smaller numbers may not change
   * the status.
   */
  answered: number;
  /**
   * The highest `Run.index` of the requested checks that passed. Scheduled checks up to this number began before a
   * requested check that passed, so their results may not change the status.
   */
  overtaken: number;
  /** The generation of the monitor (the version of its fields) when the latest check began. */
  generation: number;
  /**
   * When the next check is due, on the monotonic clock. Null after the end of the latest check: then the schedule has
   * the due time.
   */
  nextMonoMs: number | null;
}

/** One check of a monitor. */
export interface Run {
  /**
   * The number of a scheduled check. A requested check has the number of the latest scheduled check that began before
   * it.
   */
  index: number;
  /** Whether a user asked for the check. */
  requested: boolean;
  /** Whether the check uses the claim of its monitor. Only a requested check may run without the claim. */
  holdsClaim: boolean;
}

/**
 * How later checks of the monitor affect a check.
 * - `later`: whether a later check runs, or already has a verdict (`over`).
 * - `overtaken`: for a scheduled check, whether a requested check that began later has passed. For a requested check,
 *   whether a later scheduled check has a verdict.
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
  nextMonoMs: null,
});

/**
 * Begins a check. `nextMonoMs` is when the next check is due. It is null for a requested check without the claim,
 * because such a check does not change the schedule.
 */
export function beginRun(
  runs: OverlappingRuns,
  { generation, requested, nextMonoMs }: { generation: number; requested: boolean; nextMonoMs: number | null },
): { runs: OverlappingRuns; run: Run } {
  const begun = requested ? runs.begun : runs.begun + 1;
  return {
    runs: { ...runs, generation, begun, nextMonoMs: nextMonoMs ?? runs.nextMonoMs },
    run: { index: begun, requested, holdsClaim: nextMonoMs !== null },
  };
}

/** Ends a check. If no later check has begun, the schedule decides when the next check is due. */
export function endRun(runs: OverlappingRuns, run: Run): OverlappingRuns {
  return runs.begun === run.index && run.holdsClaim ? { ...runs, nextMonoMs: null } : runs;
}

/** Records the verdict of a check. Do not call this function for a check that was aborted. */
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

/** Whether the next check is due while an earlier check still runs. */
export const isNextDue = ({ nextMonoMs }: OverlappingRuns, nowMonoMs: number): boolean =>
  nextMonoMs !== null && nextMonoMs <= nowMonoMs;
