/** One exchange with the server, in milliseconds. */
export interface ClockSample {
  /** How long the request and its response took together. The offset may be wrong by half of this time. */
  roundTripMs: number;
  /** By how much the server's clock is ahead. */
  offsetMs: number;
}

/** How many of the latest exchanges are compared. */
const compared = 8;
/** A difference of at most this, plus half the round trip, is not corrected. */
export const toleratedMs = 50;

/** Keeps the latest exchanges. */
export const addSample = (samples: readonly ClockSample[], sample: ClockSample): ClockSample[] =>
  [...samples, sample].slice(-compared);

/**
 * By how much this clock has to move to agree with the server's clock, measured in the exchange with the shortest round
 * trip. It is 0 if the round trip may explain the difference.
 */
export function correctionMs(samples: readonly ClockSample[]): number {
  const best = samples.toSorted((one, other) => one.roundTripMs - other.roundTripMs)[0];
  if (!best) return 0;
  return Math.abs(best.offsetMs) <= toleratedMs + best.roundTripMs / 2 ? 0 : Math.round(best.offsetMs);
}
