import type { Clock, SteadyClock } from './deps.ts';

/**
 * Creates a clock that starts at the current wall time and then follows the monotonic clock. So a jump or an error of
 * the wall clock cannot make a heartbeat seem silent, or hide that it is silent. `core/clock-skew.ts` decides when this
 * clock is corrected to the wall time.
 */
export function createSteadyClock(machine: Clock): SteadyClock {
  let anchor = machine.now() - machine.monotonicMs();
  let latest = -Infinity;
  let total = 0;
  let last = { by: 0, at: 0 };
  const now = () => {
    latest = Math.max(latest, Math.floor(anchor + machine.monotonicMs()));
    return latest;
  };
  return {
    now,
    monotonicMs: () => machine.monotonicMs(),
    after: (ms, call) => machine.after(ms, call),
    skewMs: () => machine.now() - (anchor + machine.monotonicMs()),
    slew(byMs) {
      anchor += byMs;
    },
    step(byMs) {
      const before = now();
      anchor += byMs;
      latest = before + byMs;
      total += byMs;
      last = { by: byMs, at: latest };
    },
    steppedMs: () => total,
    renew(at) {
      const { by } = last;
      // Whether `at` was read before the last step. After a step forward, every time below `last.at` was read before
      // that step. After a step back, times that were read before and after the step overlap. So only a time above
      // `now` was surely read before the step.
      const isOld = by > 0 ? at < last.at : by < 0 && at > now();
      return isOld ? at + by : at;
    },
  };
}
