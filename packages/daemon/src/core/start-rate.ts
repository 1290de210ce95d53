/** How fast checks may begin: a rate that depends on the lag of the event loop, and the credit that has built up. */
export interface StartPace {
  /** The total cost of the checks that may begin in a millisecond. */
  perMs: number;
  /** The total cost of the checks that may begin now. A costly check may make it negative. */
  credit: number;
}

/** The slowest and the fastest rate. A plain check costs 1, and a TLS handshake about ten times as much. */
const slowestPerMs = 5;
const fastestPerMs = 20;
/** Upper limit of the credit. It bounds a burst, even after the event loop was blocked for long. */
const mostCredit = 150;
/** The longest time for which one measurement of the lag is used. */
const longestMs = 12;
/** With less lag than this the pace grows, and with more than this it shrinks. */
const lowLagMs = 6;
const highLagMs = 15;
/** Time in which the pace doubles while there is little lag. */
const doublingMs = 200;

export const firstPace: StartPace = { perMs: slowestPerMs, credit: slowestPerMs };

/**
 * Returns the pace after some time. The credit grows with the time that really passed, so a late timer loses no credit.
 * `lagMs` is by how much a timer was late; null if none was measured.
 */
export function nextPace(pace: StartPace, { passedMs, lagMs }: { passedMs: number; lagMs: number | null }): StartPace {
  const perMs = rateAfter(pace.perMs, Math.min(passedMs, longestMs), lagMs);
  return { perMs, credit: Math.min(pace.credit + passedMs * perMs, mostCredit) };
}

function rateAfter(perMs: number, passedMs: number, lagMs: number | null): number {
  if (lagMs === null) return perMs;
  if (lagMs > highLagMs) return Math.max(slowestPerMs, perMs * 0.7);
  return lagMs > lowLagMs ? perMs : Math.min(fastestPerMs, perMs * 2 ** (passedMs / doublingMs));
}
