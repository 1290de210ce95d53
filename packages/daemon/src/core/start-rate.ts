/** How fast checks may begin. The rate depends on the lag of the event loop, and the credit builds up at this rate. */
export interface StartPace {
  /** The total cost of the checks that may begin in a millisecond. */
  perMs: number;
  /** The total cost of the checks that may begin now. A costly check may make this negative. */
  credit: number;
}

/**
 * The slowest and the fastest rate: the total cost of the checks that may begin in a millisecond. A plain check costs
 * 1, and a TLS handshake about ten times as much.
 */
const slowestPerMs = 5;
const fastestPerMs = 20;
/** Upper limit of the credit. It limits a burst of checks, even after the event loop was blocked for long. */
const maxCredit = 150;
/** The rate grows with the time since the last call of `nextPace`, up to this many milliseconds. */
const maxMs = 12;
/** With less lag than `lowLagMs` the rate grows, and with more lag than `highLagMs` it shrinks. */
const lowLagMs = 6;
const highLagMs = 15;
/** Time in which the rate doubles while there is little lag. */
const doublingMs = 200;

export const firstPace: StartPace = { perMs: slowestPerMs, credit: slowestPerMs };

/**
 * Returns the pace after `passedMs`. The credit grows with the time that really passed, so a late timer loses no
 * credit. `lagMs` is by how much a timer was late; null if no timer was measured.
 */
export function nextPace(pace: StartPace, { passedMs, lagMs }: { passedMs: number; lagMs: number | null }): StartPace {
  const perMs = rateAfter(pace.perMs, Math.min(passedMs, maxMs), lagMs);
  return { perMs, credit: Math.min(pace.credit + passedMs * perMs, maxCredit) };
}

function rateAfter(perMs: number, passedMs: number, lagMs: number | null): number {
  if (lagMs === null) return perMs;
  if (lagMs > highLagMs) return Math.max(slowestPerMs, perMs * 0.7);
  return lagMs > lowLagMs ? perMs : Math.min(fastestPerMs, perMs * 2 ** (passedMs / doublingMs));
}
