/** A page stays the same, byte for byte, for this time if nothing happens. */
const sameForMs = 10_000;

/**
 * The time that a page shows and counts to, in epoch milliseconds. All nodes that make a page in the same ten seconds
 * write the same bytes, so its ETag is the same on each.
 */
export const roundedTime = (at: number): number => at - (at % sameForMs);
