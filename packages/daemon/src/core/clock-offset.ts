/** One exchange with the server, in milliseconds. */
export interface ClockSample {
  /** The time of a request and its response. The offset is uncertain by half of it. */
  roundTripMs: number;
  /** By how much the server's clock is ahead. */
  offsetMs: number;
}

/** How many of the latest exchanges are compared. */
const compared = 8;
/** A smaller difference than this is not corrected, because the round trip may explain it. */
export const toleratedMs = 50;

/** Keeps the latest exchanges. */
export const addSample = (samples: readonly ClockSample[], sample: ClockSample): ClockSample[] =>
  [...samples, sample].slice(-compared);

/**
 * By how much the clock has to move to agree with the server's. The exchange with the shortest round trip decides. 0
 * while the round trip may explain the difference.
 */
export function correctionMs(samples: readonly ClockSample[]): number {
  const best = samples.toSorted((one, other) => one.roundTripMs - other.roundTripMs)[0];
  if (!best) return 0;
  return Math.abs(best.offsetMs) <= toleratedMs + best.roundTripMs / 2 ? 0 : Math.round(best.offsetMs);
}
