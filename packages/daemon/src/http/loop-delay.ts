import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures how long the event loop keeps work waiting. */
export interface LoopDelay {
  /**
   * Returns the smaller of the mean delays of the last two periods, in milliseconds. A period lasts a second or longer.
   * So a single long pause does not change the result, and an overload changes it after two seconds.
   */
  meanMs: () => number;
  close: () => void;
}

const resolutionMs = 20;
/** A call of `meanMs` ends the current period if the period has lasted at least this long. */
const renewAfterMs = 1000;

/** Begins to measure the delay. Node's histogram contains the times between two samples, in nanoseconds. */
export function createLoopDelay(
  now: () => number,
  histogram: Pick<
    ReturnType<typeof monitorEventLoopDelay>,
    'count' | 'mean' | 'reset' | 'enable' | 'disable'
  > = monitorEventLoopDelay({
    resolution: resolutionMs,
  }),
): LoopDelay {
  histogram.enable();
  let [before, latest] = [0, 0];
  let renewedAt = now();
  return {
    meanMs() {
      if (now() - renewedAt >= renewAfterMs && histogram.count > 0) {
        // The histogram measures the whole time between two samples, so the resolution is subtracted.
        [before, latest] = [latest, Math.max(0, histogram.mean / 1e6 - resolutionMs)];
        histogram.reset();
        renewedAt = now();
      }
      return Math.min(before, latest);
    },
    close: () => void histogram.disable(),
  };
}
