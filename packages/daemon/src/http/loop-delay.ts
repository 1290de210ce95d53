import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long the event loop keeps work waiting. */
export interface LoopDelay {
  /** Mean delay over the last second or longer, in milliseconds. One long pause hardly changes it; a steady overload does. */
  meanMs(): number;
  close(): void;
}

const resolutionMs = 20;
/** The mean is computed again when it is read at this age. */
const renewAfterMs = 1000;

/** Measures the delay from now on. */
export function createLoopDelay(now: () => number): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let meanMs = 0;
  let renewedAt = now();
  return {
    meanMs() {
      if (now() - renewedAt >= renewAfterMs && histogram.count > 0) {
        // The histogram counts the whole time between two looks, so the resolution is subtracted.
        meanMs = Math.max(0, histogram.mean / 1e6 - resolutionMs);
        histogram.reset();
        renewedAt = now();
      }
      return meanMs;
    },
    close: () => void histogram.disable(),
  };
}
