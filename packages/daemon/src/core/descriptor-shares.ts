/** How many file descriptors each part of the daemon may use. */
export interface DescriptorShares {
  /** Client connections on each of the two addresses for clients: HTTP, and HTTPS on custom domains. */
  connections: number;
  /** Checks running at once. Each may need `maxDescriptorsOfCheck` descriptors. */
  checks: number;
  /** Deliveries running at once. */
  deliveries: number;
  /** Descriptors for the store, files, name servers, and connections that are slow to close. */
  reserve: number;
  /** Listeners on each of the two addresses for clients. Their descriptors come from the reserve. */
  listeners: number;
}

/**
 * The most descriptors that one check needs at once: for a DNS look-up and a connection, or for two attempts to
 * connect.
 */
export const maxDescriptorsOfCheck = 2;
/** Number of addresses for clients: one for HTTP, and one for HTTPS on custom domains. */
const addresses = 2;

/** The largest share of each part, however many descriptors the process may open. */
const maxShares = { connections: 10_000, checks: 8000, deliveries: 500, reserve: 1000, listeners: 32 };

/** Divides the file descriptors that the process may open, so that no part can use up the share of another part. */
export function shareDescriptors(limit: number): DescriptorShares {
  const reserve = Math.min(maxShares.reserve, Math.max(48, Math.floor(limit / 8)));
  const rest = Math.max(0, limit - reserve);
  const part = (eighths: number, each: number) => Math.max(1, Math.floor((rest * eighths) / 8 / each));
  return {
    connections: Math.min(maxShares.connections, part(3, addresses)),
    checks: Math.min(maxShares.checks, part(4, maxDescriptorsOfCheck)),
    deliveries: Math.min(maxShares.deliveries, part(1, 1)),
    reserve,
    // All listeners together use at most half of the reserve.
    listeners: Math.min(maxShares.listeners, Math.floor(reserve / 2 / addresses)),
  };
}
