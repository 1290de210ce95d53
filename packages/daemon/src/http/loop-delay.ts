import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Measures how long the event loop keeps work waiting. */
export interface LoopDelay {
  /**
   * Returns the smaller of the mean delays of the last two periods, in milliseconds. A period lasts a second or longer.
   * So a single long turn does not change the result, and an overload changes it after two to three seconds. Returns 0
   * while the event loop works less than half of the time.
   */
  meanMs: () => number;
  close: () => void;
}

const resolutionMs = 20;
/** A call of `meanMs` ends the current period if the period has lasted at least this long. */
const renewAfterMs = 1000;
/**
 * The delay is measured only while the event loop works for at least this fraction of the time. With less work, the
 * mean delay is far below the limits in core/overload.ts.
 */
const busyFrom = 0.5;

type Histogram = Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'mean' | 'reset' | 'enable' | 'disable'>;

/**
 * Creates the measurement. Node's histogram contains the times between two samples, in nanoseconds. Each sample wakes
 * the process, so an idle process takes no samples: sampling begins after a busy period, and ends after a period that
 * is not busy. Only calls of `meanMs` end a period.
 */
export function createLoopDelay(
  monotonicMs: () => number,
  histogram: Histogram = monitorEventLoopDelay({ resolution: resolutionMs }),
  utilization = measureUtilization(),
): LoopDelay {
  let isMeasuring = false;
  let [before, latest] = [0, 0];
  let renewedMonoMs = monotonicMs();

  const beginMeasuring = () => {
    histogram.reset();
    histogram.enable();
    isMeasuring = true;
    // The period that has just ended was busy, but not measured. `Infinity` stands for its delay, so that the delay of
    // the next period is the smaller of the two.
    [before, latest] = [0, Infinity];
  };
  const endMeasuring = () => {
    histogram.disable();
    isMeasuring = false;
    [before, latest] = [0, 0];
  };
  const renew = () => {
    // The histogram measures the whole time between two samples, so the resolution is subtracted.
    if (histogram.count > 0) [before, latest] = [latest, Math.max(0, histogram.mean / 1e6 - resolutionMs)];
    histogram.reset();
  };
  return {
    meanMs() {
      if (monotonicMs() - renewedMonoMs >= renewAfterMs) {
        renewedMonoMs = monotonicMs();
        const isBusy = utilization() >= busyFrom;
        if (isMeasuring && isBusy) renew();
        else if (isMeasuring) endMeasuring();
        else if (isBusy) beginMeasuring();
      }
      return Math.min(before, latest);
    },
    close: () => void histogram.disable(),
  };
}

/** Returns a function. Each call returns how busy the event loop has been since the previous call, from 0 to 1. */
function measureUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    return utilization;
  };
}
