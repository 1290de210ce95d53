/** Longest pause between two tries to reach the server. */
const longestMs = 15_000;

/**
 * How long a probe waits after `failures` in a row: half a second, doubled with each further failure, with jitter.
 * `random` returns a number from 0 to 1.
 */
export const retryDelayMs = (failures: number, random: () => number): number =>
  Math.min(longestMs, 500 * 2 ** Math.min(failures - 1, 10)) * (0.5 + random() / 2);
