import type { Clock } from '../deps.ts';

/** Counts how many recent checks gave no verdict. */
export interface RecentFaults {
  /** Counts a check that has ended. */
  note(isFault: boolean): void;
  /** Whether more than half of the checks of the last 15 to 30 s gave no verdict. */
  areMost(): boolean;
}

/** The checks are counted in periods of this length. The present and the previous period count. */
const periodMs = 15_000;

export function createRecentFaults(clock: Pick<Clock, 'monotonicMs'>): RecentFaults {
  const none = { checks: 0, faults: 0 };
  let [previous, present] = [none, none];
  let period = 0;
  const follow = () => {
    const now = Math.floor(clock.monotonicMs() / periodMs);
    if (now === period) return;
    previous = now === period + 1 ? present : none;
    [period, present] = [now, none];
  };
  return {
    note(isFault) {
      follow();
      present = { checks: present.checks + 1, faults: present.faults + (isFault ? 1 : 0) };
    },
    areMost() {
      follow();
      return (previous.faults + present.faults) * 2 > previous.checks + present.checks;
    },
  };
}
