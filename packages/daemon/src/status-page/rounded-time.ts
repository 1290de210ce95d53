/** A page stays the same, byte for byte, for this time if nothing happens. */
const sameForMs = 10_000;

/**
 * Returns the time that a page shows, in epoch milliseconds. The page counts uptime up to this time. All nodes that
 * make a page in the same ten seconds write the same bytes, so the page's ETag is the same on every node.
 */
export const roundedTime = (at: number): number => at - (at % sameForMs);
