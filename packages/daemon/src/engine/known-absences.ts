import { type Absence, joinAbsences, shiftAbsences } from '../core/absence.ts';
import type { SteadyClock } from '../deps.ts';

/** The absences that this process knows. They move with each step of the clock. */
export interface KnownAbsences {
  /** Returns all of them, in the order of time. */
  all(): readonly Absence[];
  /** Replaces the absences that the nodes have noted. */
  learn(noted: readonly Absence[]): void;
  /** Adds a time about which this process does not know all reports. Only this process counts it as an absence. */
  leaveOut(time: Absence | null): void;
}

export function createKnownAbsences(clock: Pick<SteadyClock, 'steppedMs'>, atStart: readonly Absence[]): KnownAbsences {
  let steppedMs = clock.steppedMs();
  let leftOut: readonly Absence[] = [];
  let known = atStart;
  const follow = () => {
    const byMs = clock.steppedMs() - steppedMs;
    if (byMs === 0) return;
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
      known = joinAbsences([...noted, ...leftOut]);
    },
    leaveOut(time) {
      if (!time) return;
      follow();
      leftOut = [...leftOut, time];
      known = joinAbsences([...known, time]);
    },
  };
}
