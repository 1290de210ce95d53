/** The times that a probe measured in one exchange with its server, in milliseconds. */
export interface ClockSample {
  /** How long the request and its response took together. The offset may be wrong by half of this time. */
  roundTripMs: number;
  /** How far the server's clock is ahead of the probe's clock. Negative if the server's clock is behind. */
  offsetMs: number;
}

/** How many of the latest exchanges are compared. */
const compared = 8;
/** A difference between the clocks is not corrected if it is at most this time plus half the round trip. */
export const toleratedMs = 50;

/** Returns the latest exchanges, including the new one. */
export const addSample = (samples: readonly ClockSample[], sample: ClockSample): ClockSample[] =>
  [...samples, sample].slice(-compared);

/**
 * Returns by how many milliseconds the probe has to move its clock to agree with the server. The exchange with the
 * shortest round trip decides. Returns 0 if that round trip may explain the difference.
 */
export function correctionMs(samples: readonly ClockSample[]): number {
  const best = samples.toSorted((one, other) => one.roundTripMs - other.roundTripMs)[0];
  if (!best) return 0;
  return Math.abs(best.offsetMs) <= toleratedMs + best.roundTripMs / 2 ? 0 : Math.round(best.offsetMs);
}
