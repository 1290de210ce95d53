import { type Absences, joinEach, noAbsences, type NotedAbsences, shiftAbsences } from '../core/absence.ts';
import type { SteadyClock } from '../deps.ts';

/** The absences that this process knows. They move with each step of the clock. */
export interface KnownAbsences {
  all(): Absences;
  /** Sets the absences that the nodes have noted. The times of `leaveOut` stay. */
  learn(noted: Absences): void;
  /** Adds times for which this process may not have all reports. Only this process counts them as absences. */
  leaveOut(times: NotedAbsences): void;
}

export function createKnownAbsences(clock: Pick<SteadyClock, 'steppedMs'>, atStart: Absences): KnownAbsences {
  let steppedMs = clock.steppedMs();
  let leftOut: NotedAbsences = noAbsences;
  let known = atStart;
  const follow = () => {
    const byMs = clock.steppedMs() - steppedMs;
    steppedMs += byMs;
    leftOut = shiftAbsences(leftOut, byMs);
    known = shiftAbsences(known, byMs);
  };
  return {
    all() {
      follow();
      return known;
    },
    learn(noted) {
      follow();
      known = withAlso(noted, leftOut);
    },
    leaveOut(times) {
      follow();
      leftOut = joinEach([leftOut, times]);
      known = withAlso(known, times);
    },
  };
}

/** Returns the absences with `more` added. Absences in receiving and absences in checking stay separate. */
export const withAlso = (absences: Absences, more: NotedAbsences): Absences => ({
  ...absences,
  ...joinEach([absences, more]),
});
