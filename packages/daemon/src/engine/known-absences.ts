import { type Absence, type Absences, joinEach, noAbsences, shiftEach } from '../core/absence.ts';
import type { SteadyClock } from '../deps.ts';

/** The absences that this process knows. They move with each step of the clock. */
export interface KnownAbsences {
  all(): Absences;
  /** Replaces the absences that the nodes have noted. */
  learn(noted: Absences): void;
  /** Adds a time about which this process does not know all reports. Only this process counts it as an absence. */
  leaveOut(time: Absence | null): void;
}

export function createKnownAbsences(clock: Pick<SteadyClock, 'steppedMs'>, atStart: Absences): KnownAbsences {
  let steppedMs = clock.steppedMs();
  let leftOut = noAbsences;
  let known = atStart;
  const follow = () => {
    const byMs = clock.steppedMs() - steppedMs;
    if (byMs === 0) return;
    steppedMs += byMs;
    leftOut = shiftEach(leftOut, byMs);
    known = shiftEach(known, byMs);
  };
  return {
    all() {
      follow();
      return known;
    },
    learn(noted) {
      follow();
      known = joinEach([noted, leftOut]);
    },
    leaveOut(time) {
      if (!time) return;
      follow();
      const one = { receiving: [time], checking: [time] };
      leftOut = joinEach([leftOut, one]);
      known = joinEach([known, one]);
    },
  };
}
