import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long the event loop keeps work waiting. */
export interface LoopDelay {
  /**
   * The mean delay in milliseconds. A period lasts a second or longer, and the smaller mean of the last two periods
   * counts. So a single long pause changes nothing, and an overload shows after two seconds.
   */
  meanMs: () => number;
  close: () => void;
}

const resolutionMs = 20;
/** A read of the delay ends the period if the period is older than this. */
const renewAfterMs = 1000;

/** Measures the delay from now on, with Node's histogram of the times between two samples, in nanoseconds. */
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
