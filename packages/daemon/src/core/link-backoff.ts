/** Longest wait between two tries of a probe to reach its server. */
const maxMs = 15_000;

/**
 * Returns how long a probe waits after `failures` failed tries in a row, in milliseconds. The wait is half a second,
 * doubled with each further failure, and shortened by up to half at random. `random` returns a number from 0 to 1.
 */
export const retryDelayMs = (failures: number, random: () => number): number =>
  Math.min(maxMs, 500 * 2 ** Math.min(failures - 1, 10)) * (0.5 + random() / 2);
