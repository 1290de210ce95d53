/** A page stays the same, byte for byte, for this time if nothing happens. */
const sameForMs = 10_000;

/**
 * The time of a page, in epoch milliseconds: the page shows it, and counts uptime up to it. All nodes that make a page
 * in the same ten seconds write the same bytes, so the page's ETag is the same on every node.
 */
export const roundedTime = (at: number): number => at - (at % sameForMs);
